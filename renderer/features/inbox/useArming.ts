import { useEffect, useRef, useState } from 'react';
import { singleKey } from '../../ui/useKeys.ts';
import { keyDown, settledOnScreen, shown } from './arming.ts';

/** `card` names the evidence on screen; null while nothing can be approved by key. */
export const useArming = (
  card: string | null,
  approve: () => void,
): { readonly armed: boolean; readonly mayPress: () => boolean } => {
  const state = useRef(shown('', Number.POSITIVE_INFINITY));
  const onApprove = useRef(approve);
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    onApprove.current = approve;
  });

  useEffect(() => {
    state.current = shown(card ?? '', performance.now());
    setArmed(false);
    if (card === null) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const usable = singleKey(event) === 'a' || (event.repeat && event.key.toLowerCase() === 'a');
      const press = { key: usable ? 'a' : `not ${event.key}`, repeat: event.repeat, now: performance.now() };
      const next = keyDown(state.current, press);
      state.current = next.arming;
      setArmed(next.arming.armed);
      if (next.approve) onApprove.current();
    };
    const disarm = (): void => {
      state.current = { ...state.current, armed: false };
      setArmed(false);
    };
    // In the capture phase: a widget that swallows a key must not keep the approval armed.
    document.addEventListener('keydown', onKeyDown, true);
    document.addEventListener('pointerdown', disarm, true);
    window.addEventListener('blur', disarm);
    return () => {
      document.removeEventListener('keydown', onKeyDown, true);
      document.removeEventListener('pointerdown', disarm, true);
      window.removeEventListener('blur', disarm);
    };
  }, [card]);

  return { armed, mayPress: () => settledOnScreen(state.current, performance.now()) };
};
