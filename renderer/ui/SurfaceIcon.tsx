import { AppWindow, Box, Globe, SquareTerminal } from 'lucide-react';

const shapes = { browser: Globe, terminal: SquareTerminal, desktop: AppWindow } as const;

export const SurfaceIcon = ({ kind, size = 14 }: { readonly kind: string | null; readonly size?: number }) => {
  const Shape = kind !== null && kind in shapes ? shapes[kind as keyof typeof shapes] : Box;
  return (
    <Shape aria-label={kind ?? undefined} aria-hidden={kind === null} size={size} className="shrink-0 text-text-3" />
  );
};
