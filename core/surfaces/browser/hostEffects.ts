import type { Effect } from '../../contracts/operatorClass.ts';

/** What happened to the page as the browser tells it: navigations, dialogs, downloads, surfaces. */
export class HostEffects {
  #list: Effect[] = [];
  /** `what`: dedupes repeated news of one thing, e.g. a download that goes on. */
  readonly #byKey = new Map<string, number>();

  add(effect: Effect, key?: string): void {
    const at = key === undefined ? undefined : this.#byKey.get(key);
    if (at !== undefined) {
      this.#list[at] = effect;
      return;
    }
    if (key !== undefined) this.#byKey.set(key, this.#list.length);
    this.#list.push(effect);
  }

  /** All since the last time, oldest first; of several navigations only the last. */
  take(): Effect[] {
    const taken = this.#list;
    this.#list = [];
    this.#byKey.clear();
    const last = taken.findLastIndex(({ kind }) => kind === 'navigated');
    return taken.filter((effect, index) => effect.kind !== 'navigated' || index === last);
  }
}
