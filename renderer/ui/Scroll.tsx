import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';

/**
 * A part of a screen that scrolls when it must. Then it is a stop of the Tab key, since nothing inside
 * need be one (WCAG 2.1.1); while all of it shows it is none.
 */
export const Scroll = ({
  label,
  className,
  children,
}: {
  /** Said by a screen reader when the stop is reached. */
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}) => {
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const box = outer.current;
    if (box === null) return;
    const measure = (): void => setScrolls(box.scrollHeight > box.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    if (inner.current !== null) observer.observe(inner.current);
    measure();
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={outer}
      role="group"
      aria-label={label}
      className={`overflow-y-auto ${className}`}
      {...(scrolls ? { tabIndex: 0 } : {})}
    >
      <div ref={inner}>{children}</div>
    </div>
  );
};
