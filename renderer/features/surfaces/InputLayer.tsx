import { useEffect, useRef } from 'react';
import type { PointerEvent } from 'react';
import type { Size } from '../../ui/outline.ts';
import { buttonName, heldButton, isSecondEscape, keyInput, modifierBits, toSurface } from './controlInput.ts';
import { surfacesText as t } from './strings.ts';
import type { SurfaceControl } from './useControlOf.ts';

/**
 * Forwards mouse, wheel, keys, composed text and paste to the surface. A text area, so that input
 * methods work; what is typed never stays in it.
 */
export const InputLayer = ({ surface, control }: { readonly surface: Size; readonly control: SurfaceControl }) => {
  const layer = useRef<HTMLTextAreaElement>(null);
  const lastEscape = useRef<number | null>(null);
  const move = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const latest = useRef({ surface, control });
  useEffect(() => {
    latest.current = { surface, control };
  });
  useEffect(() => layer.current?.focus({ preventScroll: true }), []);

  const at = (event: { readonly clientX: number; readonly clientY: number }) => {
    const box = layer.current?.getBoundingClientRect();
    return box === undefined ? { x: 0, y: 0 } : toSurface(event, box, latest.current.surface);
  };

  // React's wheel listener is passive; scrolling the console instead of the surface must be prevented.
  useEffect(() => {
    const element = layer.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const point = toSurface(event, box, latest.current.surface);
      latest.current.control.send({ type: 'wheel', ...point, delta_x: event.deltaX, delta_y: event.deltaY });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  /** At most one move per animation frame. */
  const onMove = (event: PointerEvent): void => {
    const queued = move.current !== null;
    move.current = at(event);
    const button = heldButton(event.buttons);
    const modifiers = modifierBits(event);
    if (queued) return;
    requestAnimationFrame(() => {
      const point = move.current;
      move.current = null;
      if (point === null) return;
      latest.current.control.send({ type: 'mouse', action: 'move', ...point, button, clicks: 0, modifiers });
    });
  };

  const onButton = (action: 'down' | 'up', event: PointerEvent): void => {
    control.send({
      type: 'mouse',
      action,
      ...at(event),
      button: buttonName(event.button),
      clicks: Math.min(3, Math.max(1, clicksOf(event))),
      modifiers: modifierBits(event),
    });
  };

  return (
    <textarea
      ref={layer}
      aria-label={t.typeHere}
      data-layer="control"
      spellCheck={false}
      autoComplete="off"
      className="absolute inset-0 size-full cursor-crosshair resize-none bg-transparent text-transparent caret-transparent outline-none!"
      onPointerMove={onMove}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        onButton('down', event);
      }}
      onPointerUp={(event) => onButton('up', event)}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || event.key === 'Process') return;
        const now = performance.now();
        if (isSecondEscape(event.key, now, lastEscape.current)) return control.release();
        lastEscape.current = event.key === 'Escape' ? now : null;
        // Paste arrives as text from this clipboard, not as a key: the surface has another one.
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') return;
        event.preventDefault();
        control.send(keyInput('down', event));
      }}
      onKeyUp={(event) => {
        if (event.nativeEvent.isComposing || event.key === 'Process') return;
        control.send(keyInput('up', event));
      }}
      onCompositionEnd={(event) => {
        if (event.data !== '') control.send({ type: 'text', text: event.data });
        event.currentTarget.value = '';
      }}
      onPaste={(event) => {
        event.preventDefault();
        const pasted = event.clipboardData.getData('text/plain');
        if (pasted !== '') control.send({ type: 'text', text: pasted.slice(0, 10_000) });
      }}
    />
  );
};

let press = { at: 0, x: 0, y: 0, clicks: 0 };
const DOUBLE_CLICK_MS = 500;
const DOUBLE_CLICK_PX = 4;

/** Pointer events do not count clicks: presses close in time and place do. */
const clicksOf = (event: PointerEvent): number => {
  if (event.type !== 'pointerdown') return press.clicks;
  const near =
    Math.abs(event.clientX - press.x) <= DOUBLE_CLICK_PX && Math.abs(event.clientY - press.y) <= DOUBLE_CLICK_PX;
  const again = near && event.timeStamp - press.at <= DOUBLE_CLICK_MS;
  press = { at: event.timeStamp, x: event.clientX, y: event.clientY, clicks: again ? press.clicks + 1 : 1 };
  return press.clicks;
};
