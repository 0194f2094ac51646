export { startStdioBridge } from '../api/mcp/stdioBridge.ts';
export type { ConsoleAddress } from '../api/mcp/consoleLink.ts';
export { parseListing } from '../api/mcp/tools.ts';
