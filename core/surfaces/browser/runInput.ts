import type { Effect, Receipt } from '../../contracts/operatorClass.ts';
import type { InputGuard, SurfaceContext } from '../../kernel/ports.ts';
import { CdpError } from './cdpTarget.ts';
import type { TargetEnd } from './cdpTarget.ts';
import { dialogWords } from './dialogs.ts';
import { InputSender, InputStopped } from './inputSender.ts';
import { waitOn } from './interruptible.ts';
import type { Waited } from './interruptible.ts';
import { Measure } from './measure.ts';
import type { Measured } from './measure.ts';
import { DocumentGone } from './pageDocument.ts';
import type { PageDocument } from './pageDocument.ts';
import type { PageHost } from './pageHost.ts';
import type { PageReading } from './pageProtocol.ts';
import { blockedReceipt, receipt } from './receipts.ts';
import type { SettleLimits } from './settlePage.ts';
import { pageBusy, surfaceGone, unknownOutcome } from './surfaceErrors.ts';

/** How long a page may take to say that it has got the input. */
const TAKEN_MS = 10_000;
const BEGIN_MS = 15_000;
/** How long a page at rest may take to say what changed. */
const ANSWER_MS = 5_000;
const ACT_LIMITS: SettleLimits = { quietMs: 5_000, loadMs: 8_000 };

export interface InputRun {
  readonly host: PageHost;
  readonly guard: InputGuard;
  readonly ctx: SurfaceContext;
  readonly reader: string;
  /** Whose change is measured closest. */
  readonly target: { readonly document: PageDocument; readonly ref: string } | null;
  readonly limits?: SettleLimits;
  /** How long the page or the browser may take to say that it has got the input. */
  readonly takenMs?: number;
  readonly withValue?: boolean;
  /** An earlier measuring that a dialog held up: its page cannot be asked to begin another. */
  readonly resumed?: Measure;
  /** The input is the answer to the dialog that is open. */
  readonly answering?: boolean;
  /** Sends the input. Resolves when the page has got it; a string says what was in the way, nothing sent. */
  readonly run: (sender: InputSender) => Promise<string | null>;
  readonly afterwards?: () => Promise<void>;
}

export interface InputOutcome {
  readonly receipt: Receipt;
  readonly reading?: PageReading;
  /** A dialog holds the page up: measuring goes on with its answer. */
  readonly heldUp?: Measure;
}

/** Sends one input, waits until what it caused has come to rest, and says what that was. */
export const runInput = async (parts: InputRun): Promise<InputOutcome> => {
  const { host, guard, ctx, reader } = parts;
  const began = performance.now();
  const sender = new InputSender(host.session, guard, ctx);
  const measure = parts.resumed ?? (await beginMeasure(host, parts.target));
  if (measure === null) return { receipt: blockedByDialog(host) };
  const since = (): number => Math.round(performance.now() - began);
  try {
    const taken = await takeInput(parts, parts.run(sender), sender);
    if (taken.kind === 'ended') return { receipt: endedReceipt(host, measure, taken.end, sender.sent) };
    if (taken.kind === 'value' && taken.value !== null) {
      measure.drop();
      return { receipt: blockedReceipt(taken.value, 'settled') };
    }
    const acted = since();
    if (taken.kind === 'late') return { receipt: busyReceipt(measure, acted) };
    const readiness = await measure.settle(parts.limits ?? ACT_LIMITS);
    if (host.end !== null) return { receipt: endedReceipt(host, measure, host.end, sender.sent) };
    if (host.dialogs.open === null) await parts.afterwards?.();
    const measured = await endMeasure(host, measure, reader);
    return {
      receipt: receipt({
        changed: measured.changed,
        readiness,
        effects: measured.effects,
        ...(parts.resumed === undefined && { lateEffects: measure.lateEffects }),
        timing: { acted, settled: since() },
        ...(parts.withValue === true && measured.valueAfter !== undefined && { valueAfter: measured.valueAfter }),
      }),
      ...readingPart(measured),
      ...(host.dialogs.open !== null && { heldUp: measure }),
    };
  } catch (error) {
    sender.stop();
    measure.drop();
    if (host.end === null || !isGone(error)) throw error;
    if (!sender.sent) throw surfaceGone(error);
    if (host.end === 'closed') return { receipt: endedReceipt(host, measure, host.end, true) };
    throw unknownOutcome(host.end, error);
  }
};

const beginMeasure = async (host: PageHost, target: InputRun['target']): Promise<Measure | null> => {
  if (host.dialogs.open !== null) return Measure.begin(host, target);
  const begun = await waitOn(host, Measure.begin(host, target), BEGIN_MS);
  switch (begun.kind) {
    case 'value':
      return begun.value;
    case 'dialog':
      return null;
    case 'ended':
      throw surfaceGone();
    case 'late':
      throw pageBusy();
  }
};

export const blockedByDialog = (host: PageHost): Receipt => {
  const { open } = host.dialogs;
  const dialog = open === null ? 'a dialog' : dialogWords(open);
  return blockedReceipt(`${dialog}: answer it first`, 'changing');
};

/** A page that a dialog or its own work keeps from answering is not waited for. */
const endMeasure = async (host: PageHost, measure: Measure, reader: string): Promise<Measured> => {
  if (host.dialogs.open !== null) return measure.end(reader);
  const ended = await waitOn(host, measure.end(reader), ANSWER_MS);
  return ended.kind === 'value' ? ended.value : { changed: true, effects: host.effects.take() };
};

const readingPart = ({ reading }: Measured): { reading?: PageReading } => (reading === undefined ? {} : { reading });

const isGone = (error: unknown): boolean =>
  error instanceof DocumentGone || error instanceof CdpError || error instanceof InputStopped;

/** A navigation that the input caused may take the answer along with the document. */
const takeInput = async (
  { host, answering, takenMs }: InputRun,
  running: Promise<string | null>,
  sender: InputSender,
): Promise<Waited<string | null>> => {
  const answered = running.catch((error: unknown) => {
    if (sender.sent && isGone(error) && host.end === null) return null;
    throw error;
  });
  const taken = await waitOn(host, answered, takenMs ?? TAKEN_MS, answering);
  if (taken.kind !== 'value') sender.stop();
  return taken;
};

/** The page closed itself, as a popup does on its own button; anything else leaves the outcome unknown. */
const endedReceipt = (host: PageHost, measure: Measure, end: TargetEnd, sent: boolean): Receipt => {
  measure.drop();
  if (!sent) throw surfaceGone();
  if (end !== 'closed') throw unknownOutcome(end);
  const effects: Effect[] = [...host.effects.take(), { kind: 'closed_surface', detail: 'this surface closed' }];
  return receipt({ changed: true, readiness: 'settled', effects });
};

/** Delivered to a handler that does not come back: said as it is, not as a failure. */
const busyReceipt = (measure: Measure, acted: number): Receipt => {
  measure.drop();
  return receipt({
    changed: false,
    readiness: 'changing',
    effects: [
      {
        kind: 'background',
        detail: `the input was delivered; the page is still busy with it after ${TAKEN_MS / 1_000} s`,
      },
    ],
    lateEffects: measure.lateEffects,
    timing: { acted },
  });
};
