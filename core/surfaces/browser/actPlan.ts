import type { TargetReading } from '../../contracts/console.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { ActInput } from '../../contracts/operatorClass.ts';
import { readingOf, takeAim } from './aim.ts';
import type { Aim, AimRequest, Blocked } from './aim.ts';
import { approach } from './approach.ts';
import { drag } from './drag.ts';
import { planText } from './enterText.ts';
import type { InputSender } from './inputSender.ts';
import type { PageDocument } from './pageDocument.ts';
import { isPageControl } from './pageControls.ts';
import type { PageHost } from './pageHost.ts';
import type { PagePoint, PageReading, ScrollParams } from './pageProtocol.ts';
import { planControl } from './planControl.ts';
import { planDialog } from './planDialog.ts';
import { watchPixels } from './pixels.ts';
import { parsePress } from './pressValue.ts';
import type { PressHow } from './pressValue.ts';
import type { Readings } from './readings.ts';
import { readingText, targetGone } from './targetErrors.ts';

/** An act found possible: what it is about, and how its input is sent. */
export interface ActPlan {
  readonly kind: 'plan';
  readonly reading: TargetReading | null;
  readonly target: { readonly document: PageDocument; readonly ref: string } | null;
  readonly withValue: boolean;
  /** Goes to a dialog: what that holds up goes on being measured. */
  readonly toDialog: boolean;
  readonly run: (sender: InputSender) => Promise<string | null>;
  /** When the page has come to rest: what only a look at it tells. */
  readonly afterwards?: () => Promise<void>;
}

export interface PlanContext {
  readonly host: PageHost;
  readonly reader: string;
  readonly uploads: string | null;
  readonly readings: Readings;
}

const invalid = (message: string): SignalboxError => new SignalboxError('INVALID_REQUEST', message);
const blocked = (blockedBy: string): Blocked => ({ kind: 'blocked', blockedBy });

/** Checks everything that can be checked without sending. Throws what is wrong with target or request. */
export const planAct = async (context: PlanContext, input: ActInput): Promise<ActPlan | Blocked> => {
  const { host } = context;
  const how = input.action === 'press' ? parsePress(input.value) : null;
  const scroll = input.action === 'scroll' ? scrollTo(input.value) : null;
  if (input.action === 'enter_text' && input.value === undefined) {
    throw invalid('enter_text needs value: the whole new content, which may be empty.');
  }
  const open = host.dialogs.open;
  if (open !== null) return planDialog(host, open, input);
  if (isPageControl(input.target)) return planControl(host, input.target, input);
  const aimed = await aimAt(context, {
    ref: input.target,
    action: input.action,
    ...(how?.at != null && { at: how.at }),
    ...(how?.chord != null && { keyboard: true }),
  });
  if (aimed.kind === 'blocked') return aimed;
  const plan = { kind: 'plan', reading: readingOf(host, aimed), target: aimed, toDialog: false } as const;
  switch (input.action) {
    case 'press':
      return { ...plan, withValue: false, ...(await planPress(context, aimed, how ?? parsePress(undefined))) };
    case 'hover':
      return { ...plan, withValue: false, run: async (sender) => done(approach(host, aimed, sender)) };
    case 'scroll':
      return { ...plan, withValue: false, run: (sender) => runScroll(aimed, sender, scroll ?? 'down') };
    case 'enter_text': {
      const { entry } = aimed.ready;
      if (entry === undefined)
        return blocked(`${readingText(aimed.ready.reading)} (${aimed.ref}) itself: it takes no text`);
      return { ...plan, withValue: true, run: await planText(aimed, entry, input.value ?? '', context.uploads) };
    }
  }
};

const done = async (...answers: readonly Promise<unknown>[]): Promise<null> => {
  await Promise.all(answers);
  return null;
};

// ---- finding the target ----

const aimAt = async (
  { host, reader, readings }: PlanContext,
  request: Omit<AimRequest, 'document' | 'reader'>,
): Promise<Aim | Blocked> => {
  const { ref } = request;
  const document = ref === 'page' ? (host.frames.main?.document ?? null) : host.frames.documentOfRef(ref);
  if (document === null) throw targetGone(ref, readings.find(ref), await lookAlikes(host, reader, readings.find(ref)));
  const aimed = await takeAim(host, { ...request, document, reader });
  if (aimed.kind !== 'gone') return aimed;
  const was = aimed.was ?? readings.find(ref);
  const candidates = aimed.candidates.length > 0 ? aimed.candidates : await lookAlikes(host, reader, was);
  throw targetGone(ref, was, candidates);
};

/** In the documents there are now, for a ref whose own document is gone. */
const lookAlikes = async (host: PageHost, reader: string, was: PageReading | undefined): Promise<PageReading[]> => {
  const document = host.frames.main?.document ?? null;
  if (was?.name === undefined || document === null) return [];
  await document.ready;
  const { targets } = await document.call('perceive', { query: was.name, limit: 10, textLimit: 0, reader });
  const sameRole = targets.filter(({ role }) => role === was.role);
  return [...sameRole, ...targets.filter(({ role }) => role !== was.role)]
    .slice(0, 3)
    .map(({ ref, role, name, row }) => ({
      ref,
      role,
      ...(name !== undefined && { name }),
      ...(row !== undefined && { row }),
    }));
};

// ---- what is sent ----

const planPress = async (
  context: PlanContext,
  aim: Aim,
  how: PressHow,
): Promise<Pick<ActPlan, 'run' | 'afterwards'>> => {
  const pixels = watchPixels(context.host, aim);
  const afterwards = pixels === null ? {} : { afterwards: () => pixels.after() };
  if (how.chord !== null) {
    const { chord } = how;
    return {
      run: async (sender) => {
        sender.allow();
        if (aim.ref !== 'page' && !(await aim.document.call('focus', aim.ref))) {
          return `${readingText(aim.ready.reading)} (${aim.ref}) itself: it does not take the focus`;
        }
        return done(...sender.chord(chord));
      },
    };
  }
  if (how.dragTo !== null) {
    const to = await dropPoint(context, how.dragTo);
    return {
      ...afterwards,
      run: async (sender) => {
        if (!(await approach(context.host, aim, sender))) return null;
        await pixels?.before();
        await drag(context.host.session, sender, aim.point, to);
        await noteMoved(context, aim);
        return null;
      },
    };
  }
  const button = how.right ? 'right' : 'left';
  const downloads = !how.right && (await isDownloadLink(aim));
  return {
    ...afterwards,
    run: async (sender) => {
      if (!(await approach(context.host, aim, sender))) return null;
      await pixels?.before();
      const answers = [sender.press(aim.point, button, 1), sender.release(aim.point, button, 1)];
      if (how.double) answers.push(sender.press(aim.point, button, 2), sender.release(aim.point, button, 2));
      if (downloads) answers.push(context.host.nextDownload());
      return done(...answers);
    },
  };
};

/** Nothing tells that such a download is coming until the server has answered: it must be waited for. */
const isDownloadLink = async (aim: Aim): Promise<boolean> =>
  aim.ready.reading.role === 'link' &&
  aim.document.run<boolean>(`(ref) => A.element(ref)?.closest('a[download]') != null`, aim.ref);

/** That a drag moved its own target is a change, though it is only styling to the page. */
const noteMoved = async ({ host, reader }: PlanContext, aim: Aim): Promise<void> => {
  const now = await aim.document.call('read', { ref: aim.ref, reader });
  const bounds = now.status === 'here' ? now.target.bounds : undefined;
  const { x, y } = aim.ready.box;
  if (bounds === undefined || (Math.abs(bounds.x - x) < 1 && Math.abs(bounds.y - y) < 1)) return;
  const detail = `${readingText(aim.ready.reading)} moved by ${Math.round(bounds.x - x)},${Math.round(bounds.y - y)}`;
  host.effects.add({ kind: 'structure', detail, ref: aim.ref });
};

const dropPoint = async (context: PlanContext, dragTo: string | PagePoint): Promise<PagePoint> => {
  if (typeof dragTo !== 'string') return dragTo;
  const aimed = await aimAt(context, { ref: dragTo, action: 'hover' });
  if (aimed.kind === 'blocked') throw invalid(`Nothing can be dropped on ${dragTo}: ${aimed.blockedBy} is in the way.`);
  return aimed.point;
};

const scrollTo = (value: string | undefined): ScrollParams['to'] => {
  const to = value ?? 'down';
  if (/^-?\d+$/.test(to)) return Number(to);
  switch (to) {
    case 'up':
    case 'down':
    case 'left':
    case 'right':
    case 'top':
    case 'bottom':
    case 'into_view':
      return to;
    default:
      throw invalid(`"${to}" is no way to scroll. Use up, down, left, right, top, bottom, into_view, or pixels.`);
  }
};

const runScroll = async (aim: Aim, sender: InputSender, to: ScrollParams['to']): Promise<string | null> => {
  await sender.primitive(`scroll ${to}`, () => aim.document.call('scroll', { ref: aim.ref, to }));
  return null;
};
