import { SignalboxError } from '../../contracts/errors.ts';
import type { InputGuard, SurfaceContext } from '../../kernel/ports.ts';
import type { CdpSession } from './cdpTarget.ts';
import { modifierBits } from './keys.ts';
import type { Chord, Key } from './keys.ts';
import type { PagePoint } from './pageProtocol.ts';

const at = ({ x, y }: PagePoint): string => `${Math.round(x)},${Math.round(y)}`;
const leftHeld = 1;

/** Ends an input that was stopped from outside. Nobody is told: whoever stopped it goes on. */
export class InputStopped extends Error {}

/** Sends primitive inputs, each only after the guard has let it, and notes each. */
export class InputSender {
  /** Whether anything has been sent: after that an unclear end is an unknown outcome. */
  sent = false;
  readonly #session: CdpSession;
  readonly #guard: InputGuard;
  readonly #signal: AbortSignal;
  #stopped = false;

  constructor(session: CdpSession, guard: InputGuard, ctx: SurfaceContext) {
    this.#session = session;
    this.#guard = guard;
    this.#signal = ctx.signal;
  }

  /** Throws when nothing more may be sent. Every input asks by itself; only what comes before one need call it. */
  allow(): void {
    if (this.#stopped) throw new InputStopped();
    this.#guard.before();
    if (this.#signal.aborted) throw new SignalboxError('CANCELLED', 'Cancelled before the input was complete.');
  }

  /** Nothing more is sent by what still runs: a dialog or the page's end came in between. */
  stop(): void {
    this.#stopped = true;
  }

  /** `send` must write its command before it returns. */
  primitive<T>(what: string, send: () => Promise<T>): Promise<T> {
    this.allow();
    const answer = send();
    // Its failure is handled where it is awaited, which may be after the guard has thrown.
    answer.catch(() => undefined);
    this.sent = true;
    this.#guard.sent(what);
    return answer;
  }

  /** For commands that can be refused without having done anything: noted only when `took` says it did. */
  async attempt<T>(what: string, send: () => Promise<T>, took: (answer: T) => boolean): Promise<T> {
    this.allow();
    // Until the answer is there nobody knows.
    this.sent = true;
    const answer = await send();
    if (took(answer)) this.#guard.sent(what);
    else this.sent = false;
    return answer;
  }

  move(point: PagePoint, held = false): Promise<unknown> {
    return this.primitive(`mouse move to ${at(point)}`, () =>
      this.#session.send('Input.dispatchMouseEvent', {
        type: 'mouseMoved',
        x: point.x,
        y: point.y,
        ...(held ? { button: 'left' as const, buttons: leftHeld } : {}),
      }),
    );
  }

  press(point: PagePoint, button: 'left' | 'right', clickCount: number): Promise<unknown> {
    return this.#button('mousePressed', `mouse press at ${at(point)}`, point, button, clickCount);
  }

  release(point: PagePoint, button: 'left' | 'right', clickCount: number): Promise<unknown> {
    return this.#button('mouseReleased', `mouse release at ${at(point)}`, point, button, clickCount);
  }

  /** Modifiers down, key, modifiers up. */
  chord({ modifiers, key, bits }: Chord): Promise<unknown>[] {
    const answers: Promise<unknown>[] = [];
    let held = 0;
    for (const modifier of modifiers) {
      held |= modifierBits[modifier.key as keyof typeof modifierBits];
      answers.push(this.#key('down', modifier, held));
    }
    answers.push(this.#key('down', key, bits), this.#key('up', key, bits));
    for (const modifier of [...modifiers].reverse()) {
      held &= ~modifierBits[modifier.key as keyof typeof modifierBits];
      answers.push(this.#key('up', modifier, held));
    }
    return answers;
  }

  /** `shown` is what may be said of the text. */
  text(text: string, shown: string): Promise<unknown> {
    return this.primitive(shown, () => this.#session.send('Input.insertText', { text }));
  }

  #button(
    type: 'mousePressed' | 'mouseReleased',
    what: string,
    { x, y }: PagePoint,
    button: 'left' | 'right',
    clickCount: number,
  ): Promise<unknown> {
    const named = button === 'right' ? what.replace('mouse', 'right mouse') : what;
    return this.primitive(named, () =>
      this.#session.send('Input.dispatchMouseEvent', {
        type,
        x,
        y,
        button,
        clickCount,
        buttons: type === 'mousePressed' ? (button === 'left' ? leftHeld : 2) : 0,
      }),
    );
  }

  #key(direction: 'down' | 'up', { key, code, keyCode, text, location }: Key, modifiers: number): Promise<unknown> {
    return this.primitive(`key ${key} ${direction}`, () =>
      this.#session.send('Input.dispatchKeyEvent', {
        type: direction === 'up' ? 'keyUp' : text === undefined ? 'rawKeyDown' : 'keyDown',
        key,
        code,
        windowsVirtualKeyCode: keyCode,
        modifiers,
        ...(location !== undefined && { location }),
        ...(direction === 'down' && text !== undefined && { text, unmodifiedText: text }),
      }),
    );
  }
}
