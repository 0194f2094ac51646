import { ensureBuilt } from '../../scripts/build.mjs';

/** Once before the integration and end-to-end tests: they run the built product. */
export default async function buildAll(): Promise<void> {
  await ensureBuilt();
}
