import { useEffect, useRef } from 'react';
import { usePreferences } from './preferences.ts';

/** True while the event belongs to something that types. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

const dialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** The single key meant, or null: typing, a chord, a repeat, an open dialog, or shortcuts switched off. */
export const singleKey = (event: KeyboardEvent): string | null => {
  if (event.defaultPrevented || event.repeat || event.isComposing) return null;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (!usePreferences.getState().shortcuts || isTyping(event.target) || dialogOpen()) return null;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
};

/** Single-key shortcuts of a screen. A handler that returns false leaves the key alone. */
export const useKeys = (handlers: Readonly<Record<string, () => void | false>>): void => {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = singleKey(event);
      const handler = key === null ? undefined : latest.current[key];
      if (handler !== undefined && handler() !== false) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
};
