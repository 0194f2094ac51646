import type { SurfaceView } from '../../../core/contracts/console.ts';
import { principalText } from '../../ui/format.ts';
import { Signal } from '../../ui/Signal.tsx';
import type { Tone } from '../../ui/Signal.tsx';
import { surfacesText as t } from './strings.ts';

const tones: Readonly<Record<SurfaceView['state'], Tone>> = {
  idle: 'neutral',
  launching: 'active',
  ready: 'clear',
  gone: 'neutral',
  failed: 'danger',
};

export const SurfaceState = ({ surface }: { readonly surface: SurfaceView }) => {
  if (surface.kind === 'terminal') return <Signal tone="neutral">{t.notAvailable}</Signal>;
  return (
    <Signal tone={tones[surface.state]}>
      {t.state[surface.state]}
      {surface.state === 'ready' && surface.readiness !== undefined && `, ${t.readiness[surface.readiness]}`}
    </Signal>
  );
};

/** Who works it: a person in control, an agent's running verb, or nobody. */
export const WhoWorks = ({ surface }: { readonly surface: SurfaceView }) => {
  if (surface.holder !== undefined) {
    return (
      <Signal tone="caution">
        {principalText(surface.holder.principal)} {surface.holder.private ? t.heldPrivate : t.held}
      </Signal>
    );
  }
  if (surface.busy !== undefined) {
    return (
      <Signal tone="active">
        {principalText(surface.busy.principal)} {t.working(surface.busy.verb)}
      </Signal>
    );
  }
  return <span className="text-xs text-text-3">{t.nobody}</span>;
};
