import { assertNever } from '../../contracts/errors.ts';
import type { PerceiveInput, PerceiveOutput, Readiness } from '../../contracts/operatorClass.ts';
import { Cursors } from './cursors.ts';
import { dialogTargets } from './dialogs.ts';
import { waitOn } from './interruptible.ts';
import { DocumentGone } from './pageDocument.ts';
import type { PageHost } from './pageHost.ts';
import { continuePage, perceivePage } from './perceivePage.ts';
import type { PageReadingResult } from './perceivePage.ts';
import type { Readings } from './readings.ts';
import { pageBusy, surfaceGone } from './surfaceErrors.ts';

/** A page may take so long to answer before it is said to be too busy. */
const ANSWER_MS = 15_000;
const DOCUMENT_MS = 10_000;
const READ_ATTEMPTS = 4;

/** Work on a page that may meet a dialog, the page's end, or a page too busy to answer. */
export const whileAlive = async <T>(host: PageHost, work: () => Promise<T>): Promise<T | 'dialog'> => {
  if (host.dialogs.open !== null) return 'dialog';
  let waited;
  try {
    waited = await waitOn(host, work(), ANSWER_MS);
  } catch (error) {
    if (error instanceof DocumentGone) throw host.end === null ? pageBusy() : surfaceGone(error);
    throw error;
  }
  switch (waited.kind) {
    case 'value':
      return waited.value;
    case 'dialog':
      return 'dialog';
    case 'ended':
      throw surfaceGone();
    case 'late':
      throw pageBusy();
    default:
      return assertNever(waited, 'wait');
  }
};

/** `perceive` of one surface: lists, their continuation, and dialogs. */
export class PageReader {
  readonly #cursors = new Cursors();
  readonly #readings: Readings;
  #last: PerceiveOutput | null = null;

  constructor(readings: Readings) {
    this.#readings = readings;
  }

  /** The page is another one. */
  forget(): void {
    this.#last = null;
  }

  async perceive(
    host: PageHost,
    input: PerceiveInput,
    reader: string,
    generation: number,
    readiness: () => Readiness,
  ): Promise<PerceiveOutput> {
    const rest = input.cursor === undefined ? null : this.#cursors.find(generation, input.cursor);
    const reading = await whileAlive(host, async () =>
      rest === null ? readFresh(host, input, reader) : continuePage(host, rest, input.limit, reader),
    );
    if (reading === 'dialog') return this.#besideDialog(host, input);
    const cursor = reading.rest === null ? null : this.#cursors.keep(generation, reading.rest);
    const output: PerceiveOutput = {
      ...reading.output,
      readiness: readiness(),
      ...(cursor !== null && { next_cursor: cursor }),
    };
    for (const target of output.targets) this.#readings.keep(target);
    if (rest === null && input.query === undefined) this.#last = output;
    return output;
  }

  /** The dialog plus the last reading: the page's thread stands still and is not asked. */
  #besideDialog(host: PageHost, input: PerceiveInput): PerceiveOutput {
    const dialog = host.dialogs.open;
    const targets = dialog === null ? [] : dialogTargets(dialog);
    const last = input.query === undefined && input.cursor === undefined ? this.#last : null;
    return {
      targets: [...targets, ...(last?.targets ?? [])].slice(0, input.limit),
      readiness: 'changing',
      ...(last?.text !== undefined && { text: last.text }),
    };
  }
}

/** A page that navigates while it is read is read again. */
const readFresh = async (host: PageHost, input: PerceiveInput, reader: string): Promise<PageReadingResult> => {
  for (let attempt = 1; ; attempt += 1) {
    const main = await host.mainDocument(DOCUMENT_MS);
    if (main === null) throw pageBusy();
    try {
      return await perceivePage(host, main, input, reader);
    } catch (error) {
      if (!(error instanceof DocumentGone) || attempt >= READ_ATTEMPTS) throw error;
    }
  }
};
