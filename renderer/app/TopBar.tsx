import { Octagon, Play, Search } from 'lucide-react';
import { Link } from 'wouter';
import type { SurfaceView } from '../../core/contracts/console.ts';
import { useConnection } from '../bridge/connection.ts';
import type { ConnectionStatus } from '../bridge/connection.ts';
import { useMayApprove, usePause, useSurfaces, useSystem } from '../bridge/queries.ts';
import { Button } from '../ui/Button.tsx';
import { principalText } from '../ui/format.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { Signal } from '../ui/Signal.tsx';
import type { Tone } from '../ui/Signal.tsx';
import { Visible } from '../ui/Visible.tsx';
import { appText } from './strings.ts';

const tones: Readonly<Record<ConnectionStatus, Tone>> = { live: 'clear', connecting: 'neutral', offline: 'danger' };

const RUNNING_SHOWN = 2;

const RunningOne = ({ surface }: { readonly surface: SurfaceView }) => {
  const who = surface.busy ?? surface.holder;
  if (who === undefined) return null;
  return (
    <Link
      href={`/surfaces/${surface.id}`}
      className="flex min-w-0 items-center gap-1 rounded-sm px-1.5 py-0.5 text-xs text-text-2 hover:bg-hover"
    >
      <span className="shrink-0 font-medium text-text">{principalText(who.principal)}</span>
      {surface.busy !== undefined && <span className="shrink-0 font-mono text-text-3">{surface.busy.verb}</span>}
      <span className="truncate">
        <Visible value={(surface.label ?? surface.id).slice(0, 80)} />
      </span>
    </Link>
  );
};

/** Who is running what, right now. */
const Running = () => {
  const surfaces = useSurfaces().data ?? [];
  const running = surfaces.filter((surface) => surface.busy !== undefined || surface.holder !== undefined);
  if (running.length === 0) return <span className="text-xs text-text-3">{appText.runningNone}</span>;
  return (
    <div className="flex min-w-0 items-center gap-1">
      {running.slice(0, RUNNING_SHOWN).map((surface) => (
        <RunningOne key={surface.id} surface={surface} />
      ))}
      {running.length > RUNNING_SHOWN && (
        <Link href="/surfaces" className="shrink-0 text-xs text-text-3">{`+${running.length - RUNNING_SHOWN}`}</Link>
      )}
    </div>
  );
};

const PauseSwitch = () => {
  const paused = useSystem().data?.paused ?? null;
  const pause = usePause();
  const mayApprove = useMayApprove();
  if (!mayApprove) return null;
  const on = paused !== null;
  return (
    <>
      {pause.isError && (
        <span role="alert" title={pause.error.message}>
          <Signal tone="danger">{appText.pauseFailed}</Signal>
        </span>
      )}
      <Button
        size="small"
        look={on ? 'stopped' : 'outline'}
        isDisabled={pause.isPending}
        onPress={() => pause.mutate(!on)}
      >
        {on ? <Play aria-hidden size={14} /> : <Octagon aria-hidden size={14} />}
        {on ? appText.resumeShort : appText.pauseShort}
      </Button>
    </>
  );
};

export const TopBar = ({ onPalette }: { readonly onPalette: () => void }) => {
  const status = useConnection((state) => state.status);
  return (
    <header className="flex h-11 shrink-0 items-center gap-4 border-b border-line bg-bg px-4">
      <Button size="small" onPress={onPalette}>
        <Search aria-hidden size={14} />
        {appText.palette}
        <Kbd>Ctrl K</Kbd>
      </Button>
      <div className="flex min-w-0 flex-1 justify-center">
        <Running />
      </div>
      <span data-connection={status} className="flex">
        <Signal tone={tones[status]}>{appText.connection[status]}</Signal>
      </span>
      <PauseSwitch />
    </header>
  );
};
