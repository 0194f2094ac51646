import { useLocation, useSearch } from 'wouter';
import { callOutcome } from '../../../core/contracts/console.ts';
import type { CallFilter } from '../../bridge/callPages.ts';
import type { LocalFilter } from './localFilter.ts';

export type FilterName = 'surface_id' | 'principal' | 'verb' | 'outcome' | 'text';

/** The filters live in the URL, so that a filtered timeline can be linked to and survives a reload. */
export const useTimelineFilter = () => {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const params = new URLSearchParams(search);
  const part = (name: 'surface_id' | 'principal' | 'verb') => {
    const value = params.get(name);
    return value === null ? {} : { [name]: value };
  };
  const server: CallFilter = { ...part('surface_id'), ...part('principal'), ...part('verb') };
  const local: LocalFilter = {
    outcome: callOutcome.safeParse(params.get('outcome')).data ?? null,
    text: params.get('text') ?? '',
  };
  const set = (name: FilterName, value: string): void => {
    const next = new URLSearchParams(search);
    if (value === '') next.delete(name);
    else next.set(name, value);
    const query = next.toString();
    navigate(query === '' ? path : `${path}?${query}`, { replace: true });
  };
  const clear = (): void => navigate(path, { replace: true });
  return { server, local, set, clear, any: search !== '' };
};
