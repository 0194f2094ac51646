import type { TargetReading } from '../../core/contracts/console.ts';

/** A call in words. Every part but `does` may come from an agent or a page: show it isolated. */
export interface VerbPhrase {
  readonly does: string;
  /** Role of the target, or what the object is. */
  readonly kind: string | null;
  readonly object: string | null;
}

const actions: Readonly<Record<string, string>> = {
  press: 'press',
  enter_text: 'enter text into',
  scroll: 'scroll',
  hover: 'hover over',
};

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const actPhrase = (args: Readonly<Record<string, unknown>>, target: TargetReading | null): VerbPhrase => {
  const action = asText(args['action']);
  const does = action === null ? 'act on' : (actions[action] ?? action);
  if (target === null) return { does, kind: null, object: asText(args['target']) };
  return { does, kind: target.role, object: asText(target.name) ?? target.ref };
};

export const verbPhrase = (
  verb: string,
  args: Readonly<Record<string, unknown>>,
  target: TargetReading | null,
): VerbPhrase => {
  switch (verb) {
    case 'operator.act':
      return actPhrase(args, target);
    case 'operator.navigate':
      return { does: 'go to', kind: null, object: asText(args['url']) };
    case 'operator.focus_app':
      return { does: 'raise', kind: 'application', object: asText(args['application']) };
    case 'operator.perceive':
      return { does: 'read the surface', kind: null, object: asText(args['query']) };
    case 'operator.list_surfaces':
      return { does: 'list the surfaces', kind: null, object: null };
    case 'operator.settle':
      return { does: 'wait until it is settled', kind: null, object: null };
    case 'operator.capture':
      return { does: 'take a picture', kind: null, object: null };
    case 'signalbox.open_surface':
      return { does: 'open a surface', kind: asText(args['kind']), object: asText(args['url']) };
    case 'signalbox.close_surface':
      return { does: 'close the surface', kind: null, object: asText(args['surface_id']) };
    default:
      return { does: verb, kind: null, object: null };
  }
};
