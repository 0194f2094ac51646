import type { TargetObject } from '../../contracts/operatorClass.ts';
import type { PageHost } from './pageHost.ts';

export const pageControls = ['back', 'forward', 'reload'] as const;
export type PageControl = (typeof pageControls)[number];

export const isPageControl = (ref: string): ref is PageControl => (pageControls as readonly string[]).includes(ref);

const names: Record<PageControl, string> = { back: 'Back', forward: 'Forward', reload: 'Reload' };

export const pageControlTarget = (control: PageControl): TargetObject => ({
  ref: control,
  role: 'button',
  name: names[control],
});

/** Id of the history entry a control leads to; null when there is none. Reload leads to none by itself. */
export const historyEntry = async (host: PageHost, control: 'back' | 'forward'): Promise<number | null> => {
  const { currentIndex, entries } = await host.session.send('Page.getNavigationHistory');
  const index = control === 'back' ? currentIndex - 1 : currentIndex + 1;
  const entry = entries[index];
  if (entry === undefined) return null;
  // The empty page every surface begins with is no place to go back to.
  return index === 0 && entry.url === 'about:blank' ? null : entry.id;
};

const availableControls = async (host: PageHost): Promise<PageControl[]> => {
  const { currentIndex, entries } = await host.session.send('Page.getNavigationHistory');
  const first = entries[0]?.url === 'about:blank' ? 1 : 0;
  return pageControls.filter((control) => {
    if (control === 'back') return currentIndex > first;
    return control === 'reload' || currentIndex < entries.length - 1;
  });
};

const fold = (text: string): string => text.trim().toLowerCase();

/** The page's own controls that a query means, or all that can be used when there is no query. */
export const controlTargets = async (
  host: PageHost,
  page: TargetObject,
  query: string | undefined,
): Promise<{ readonly tier: number; readonly targets: TargetObject[] }> => {
  if (query === undefined) {
    return { tier: 0, targets: [page, ...(await availableControls(host)).map(pageControlTarget)] };
  }
  const words = fold(query).replace(/\s+button$/, '');
  if (words === 'page' || words === 'document') return { tier: 0, targets: [page] };
  const wanted = pageControls.find((control) => control === words);
  if (wanted === undefined || !(await availableControls(host)).includes(wanted)) return { tier: -1, targets: [] };
  return { tier: 0, targets: [pageControlTarget(wanted)] };
};
