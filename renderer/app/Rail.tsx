import { Bot, Globe, Inbox, ListTree, ScrollText, Settings } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { cx } from '../ui/cx.ts';
import { Mark } from '../ui/Mark.tsx';
import { text } from '../ui/strings.ts';
import { appText } from './strings.ts';

export interface Area {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
}

export const areas: readonly Area[] = [
  { href: '/inbox', label: appText.areas.inbox, icon: Inbox },
  { href: '/surfaces', label: appText.areas.surfaces, icon: Globe },
  { href: '/timeline', label: appText.areas.timeline, icon: ListTree },
  { href: '/agents', label: appText.areas.agents, icon: Bot },
  { href: '/policies', label: appText.areas.policies, icon: ScrollText },
  { href: '/settings', label: appText.areas.settings, icon: Settings },
];

const Badge = ({ count }: { readonly count: number }) => (
  <span
    data-badge="needs-you"
    className="absolute top-0.5 right-1.5 flex h-[18px] min-w-[18px] items-center justify-center rounded-full bg-accent px-1 text-2xs font-semibold text-on-accent wide:static wide:ml-auto"
  >
    <span aria-hidden>{count > 99 ? '99+' : count}</span>
    <span className="sr-only">{appText.needsYou(count)}</span>
  </span>
);

/** Areas of the console, with words at every width. */
export const Rail = ({ needs }: { readonly needs: number }) => {
  const [location] = useLocation();
  const isHere = (href: string): boolean =>
    location === href || location.startsWith(`${href}/`) || (href === '/timeline' && location.startsWith('/receipts/'));
  return (
    <nav
      aria-label={appText.navigation}
      className="flex w-[72px] shrink-0 flex-col gap-0.5 border-r border-line bg-bg px-1.5 py-2 wide:w-[176px] wide:px-2"
    >
      <div className="mb-2 flex h-8 items-center justify-center gap-2 text-sm font-semibold wide:justify-start wide:px-2">
        <Mark />
        <span className="sr-only wide:not-sr-only">{text.product}</span>
      </div>
      {areas.map(({ href, label, icon: Icon }) => (
        <Link
          key={href}
          href={href}
          aria-current={isHere(href) ? 'page' : undefined}
          className={cx(
            'relative flex flex-col items-center gap-0.5 rounded-md px-1 py-1.5 text-2xs wide:h-8 wide:flex-row wide:gap-2 wide:px-2 wide:py-0 wide:text-sm',
            isHere(href) ? 'bg-hover font-medium text-text' : 'text-text-2 hover:bg-hover hover:text-text',
          )}
        >
          <Icon aria-hidden size={16} />
          {label}
          {href === '/inbox' && needs > 0 && <Badge count={needs} />}
        </Link>
      ))}
    </nav>
  );
};
