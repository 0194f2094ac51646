import { Bot, Cog, User, Users } from 'lucide-react';
import type { PrincipalRef } from '../../core/contracts/principal.ts';
import { principalText } from './format.ts';
import { Visible } from './Visible.tsx';

const shapes = { agent: Bot, user: User, role: Users, service: Cog } as const;

export const Principal = ({ of }: { readonly of: PrincipalRef }) => {
  const Shape = shapes[of.type];
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1 align-middle" title={principalText(of)}>
      <Shape aria-label={of.type} size={14} className="shrink-0 text-text-3" />
      <span className="truncate font-medium">
        <Visible value={of.id} />
      </span>
    </span>
  );
};
