import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { ButtonProps } from 'react-aria-components';
import { cx } from './cx.ts';

export type ButtonLook = 'solid' | 'outline' | 'quiet' | 'danger' | 'armed' | 'stopped';

const looks: Readonly<Record<ButtonLook, string>> = {
  solid: 'border-transparent bg-solid text-on-solid hover:opacity-90',
  outline: 'border-line-strong bg-panel text-text hover:bg-hover',
  quiet: 'border-transparent bg-transparent text-text-2 hover:bg-hover hover:text-text',
  danger: 'border-danger bg-panel text-danger hover:bg-danger-soft',
  /** One more press and it happens. */
  armed: 'border-clear bg-clear-soft text-clear outline-2 outline-offset-1 outline-clear',
  /** Something is held back until this is pressed. */
  stopped: 'border-danger bg-danger-soft text-danger font-semibold',
};

const base =
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border text-sm font-medium disabled:opacity-50 data-[disabled]:opacity-50';

export interface Props extends Omit<ButtonProps, 'className' | 'children' | 'style'> {
  readonly look?: ButtonLook;
  readonly size?: 'normal' | 'small';
  readonly className?: string;
  readonly children: ReactNode;
}

export const Button = ({ look = 'outline', size = 'normal', className, children, ...rest }: Props) => (
  <AriaButton
    {...rest}
    className={cx(base, looks[look], size === 'normal' ? 'h-8 px-3' : 'h-7 px-2 text-xs', className)}
  >
    {children}
  </AriaButton>
);

/** A 28 px square with an icon; the label is for assistive technology and the tooltip. */
export const IconButton = ({
  label,
  className,
  children,
  ...rest
}: Omit<Props, 'look' | 'size' | 'aria-label'> & { readonly label: string }) => (
  <span title={label} className="inline-flex">
    <AriaButton {...rest} aria-label={label} className={cx(base, looks.quiet, 'size-7', className)}>
      {children}
    </AriaButton>
  </span>
);
