import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A designed nothing: what would be here, and how it gets here. */
export const Empty = ({
  icon: Icon,
  title,
  children,
  action,
  heading: Heading = 'p',
}: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** `h1` where nothing else names the screen. */
  readonly heading?: 'p' | 'h1';
}) => (
  <div className="flex h-full flex-col items-center justify-center gap-2 p-8 text-center">
    <Icon aria-hidden size={20} className="text-text-3" />
    <Heading className="text-base font-semibold text-text">{title}</Heading>
    {children !== undefined && <div className="max-w-[44ch] text-sm text-text-2">{children}</div>}
    {action !== undefined && <div className="mt-2">{action}</div>}
  </div>
);

/** Rows of the list to come; quiet, without movement. */
export const SkeletonRows = ({ rows = 6, label }: { readonly rows?: number; readonly label: string }) => (
  <div role="status" aria-label={label} className="space-y-3 p-4">
    {Array.from({ length: rows }, (_, index) => (
      <div key={index} className="sb-skeleton h-4" style={{ width: `${88 - ((index * 17) % 40)}%` }} />
    ))}
  </div>
);
