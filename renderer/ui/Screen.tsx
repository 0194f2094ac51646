import type { ReactNode } from 'react';

/** Heading row of an area: title left, actions right. */
export const ScreenHead = ({
  title,
  children,
  detail,
}: {
  readonly title: string;
  readonly detail?: ReactNode;
  readonly children?: ReactNode;
}) => (
  <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-panel px-4">
    <h1 className="text-base font-semibold">{title}</h1>
    {detail !== undefined && <span className="min-w-0 truncate text-xs text-text-3">{detail}</span>}
    <div className="ml-auto flex items-center gap-2">{children}</div>
  </header>
);

export const SectionLabel = ({ children }: { readonly children: ReactNode }) => (
  <h2 className="sb-label mb-1">{children}</h2>
);
