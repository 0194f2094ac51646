import type { Lights as LightsView } from '../../core/contracts/console.ts';
import { ToneIcon } from './Signal.tsx';
import type { Tone } from './Signal.tsx';
import { text } from './strings.ts';

const tones: Readonly<Record<'no' | 'yes' | 'failed' | 'unknown', Tone>> = {
  no: 'neutral',
  yes: 'clear',
  failed: 'danger',
  unknown: 'unknown',
};

/** Four separate lights: that a thing was approved says nothing about whether it happened. */
export const Lights = ({ lights }: { readonly lights: LightsView }) => (
  <dl className="grid grid-cols-[repeat(auto-fit,minmax(118px,1fr))] gap-x-3 gap-y-1">
    {(['approved', 'executed', 'receipted', 'verified'] as const).map((name) => {
      const state = lights[name];
      return (
        <div key={name} className="flex items-center gap-1.5 text-xs" data-light={name} data-state={state}>
          <ToneIcon tone={tones[state]} />
          <dt className="text-text-2">{text.lights[name]}</dt>
          <dd className="text-text-3">{text.lights[state]}</dd>
        </div>
      );
    })}
  </dl>
);
