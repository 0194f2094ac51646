import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { usePreferences } from '../ui/preferences.ts';
import { text } from '../ui/strings.ts';
import { newNeeds } from './needsYou.ts';
import type { Need, Needs } from './needsYou.ts';
import { appText } from './strings.ts';

/** Tells a new need once: to assistive technology, in the title, and as a notification while the window is behind. */
export const Announcer = ({ needs }: { readonly needs: Needs }) => {
  const [, navigate] = useLocation();
  const told = useRef<Set<string> | null>(null);
  const open = useRef(new Map<string, Notification>());
  const [said, setSaid] = useState('');
  const { known, list } = needs;

  useEffect(() => {
    if (!known) return;
    const { fresh, told: next } = newNeeds(list, told.current);
    told.current = next;
    if (fresh.length > 0) setSaid(fresh.map((need) => need.words).join('. '));
    for (const need of fresh) notify(need, open.current, navigate);
    withdraw(list, open.current);
    // `list` is a new array on every render: what was told once is not told again.
  }, [known, list, navigate]);

  useEffect(() => {
    document.title = list.length === 0 ? text.product : `(${list.length}) ${text.product}`;
  }, [list.length]);

  return (
    <div aria-live="polite" className="sr-only" data-announcer>
      {said}
    </div>
  );
};

const notify = (need: Need, open: Map<string, Notification>, navigate: (to: string) => void): void => {
  if (!usePreferences.getState().notifications || document.hasFocus()) return;
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const notification = new Notification(appText.notificationTitle, { body: need.words, tag: need.id });
  notification.addEventListener('click', () => {
    window.focus();
    navigate(need.href);
  });
  open.set(need.id, notification);
};

/** A notification about something that needs nobody any more is taken back. */
const withdraw = (list: readonly Need[], open: Map<string, Notification>): void => {
  const current = new Set(list.map((need) => need.id));
  for (const [id, notification] of open) {
    if (current.has(id)) continue;
    notification.close();
    open.delete(id);
  }
};
