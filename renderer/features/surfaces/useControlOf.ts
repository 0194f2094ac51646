import { useState } from 'react';
import type { HumanInput, SurfaceView } from '../../../core/contracts/console.ts';
import { sendLive } from '../../bridge/live.ts';
import { useControl, useMe } from '../../bridge/queries.ts';
import { principalText } from '../../ui/format.ts';

export interface SurfaceControl {
  readonly mine: boolean;
  readonly isPrivate: boolean;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly note: string;
  readonly setNote: (note: string) => void;
  readonly take: () => void;
  readonly setPrivate: (on: boolean) => void;
  readonly release: () => void;
  readonly send: (input: HumanInput) => void;
}

/** A person's control of one surface: the server says who holds it; input goes only while it is us. */
export const useControlOf = (surface: SurfaceView): SurfaceControl => {
  const me = useMe().data?.principal;
  const control = useControl();
  const [note, setNote] = useState('');
  const { holder } = surface;
  const mine = holder !== undefined && me !== undefined && principalText(holder.principal) === principalText(me);
  const isPrivate = holder?.private ?? false;
  const change = (input: Parameters<typeof control.mutate>[0]['control']): void =>
    control.mutate({ surfaceId: surface.id, control: input });
  return {
    mine,
    isPrivate,
    busy: control.isPending,
    error: control.error,
    note,
    setNote,
    take: () => change({ action: 'take' }),
    setPrivate: (on) => change({ action: 'take', private: on }),
    release: () => {
      if (!mine) return;
      change({ action: 'release', ...(note.trim() === '' ? {} : { note: note.trim() }) });
      setNote('');
    },
    send: (input) => {
      if (mine) sendLive({ type: 'input', surface_id: surface.id, input });
    },
  };
};
