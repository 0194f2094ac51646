import { EyeOff, Hand, Undo2 } from 'lucide-react';
import { Switch } from 'react-aria-components';
import type { SurfaceView } from '../../../core/contracts/console.ts';
import { useMayApprove } from '../../bridge/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { principalText } from '../../ui/format.ts';
import { Kbd } from '../../ui/Kbd.tsx';
import { ToneIcon } from '../../ui/Signal.tsx';
import { SwitchTrack } from '../../ui/SwitchTrack.tsx';
import { surfacesText as t } from './strings.ts';
import type { SurfaceControl } from './useControlOf.ts';

const bar = 'flex h-11 shrink-0 items-center gap-3 border-b px-4 text-sm';

/** Watching, in control, or somebody else is: always said in words above the picture. */
export const ControlBar = ({
  surface,
  control,
}: {
  readonly surface: SurfaceView;
  readonly control: SurfaceControl;
}) => {
  const mayApprove = useMayApprove();
  if (surface.kind === 'terminal' || surface.state === 'gone') return null;
  if (control.mine) return <Holding control={control} />;
  if (surface.holder !== undefined) {
    return (
      <div className={`${bar} border-caution bg-caution-soft`}>
        <ToneIcon tone="caution" />
        {t.otherInControl(principalText(surface.holder.principal))}
      </div>
    );
  }
  return (
    <div className={`${bar} border-line bg-panel text-text-2`}>
      <span className="min-w-0 flex-1 truncate">{t.viewOnly}</span>
      {mayApprove && surface.state === 'ready' && (
        <>
          <span className="hidden truncate text-xs text-text-3 wide:inline">{t.takeWhy}</span>
          <Button onPress={control.take} isDisabled={control.busy}>
            <Hand aria-hidden size={16} />
            {t.take}
          </Button>
        </>
      )}
    </div>
  );
};

const Holding = ({ control }: { readonly control: SurfaceControl }) => (
  <form
    className={`${bar} border-caution bg-caution-soft`}
    onSubmit={(event) => {
      event.preventDefault();
      control.release();
    }}
  >
    <ToneIcon tone="caution" />
    <span className="min-w-0 flex-1 truncate font-medium">{t.inControl}</span>
    <span title={t.privateHint} className="inline-flex">
      <Switch
        isSelected={control.isPrivate}
        onChange={control.setPrivate}
        isDisabled={control.busy}
        className="group flex items-center gap-2 text-sm whitespace-nowrap"
      >
        <SwitchTrack />
        <EyeOff aria-hidden size={14} />
        {t.private}
      </Switch>
    </span>
    <input
      aria-label={t.note}
      placeholder={t.note}
      maxLength={2_000}
      className="sb-field max-w-[280px]"
      value={control.note}
      onChange={(event) => control.setNote(event.target.value)}
    />
    <Button type="submit" isDisabled={control.busy}>
      <Undo2 aria-hidden size={16} />
      {t.handBack}
      <Kbd>{t.handBackKeys}</Kbd>
    </Button>
  </form>
);
