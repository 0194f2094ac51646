import { Command } from 'cmdk';
import type { ReactNode } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { useLocation } from 'wouter';
import { useMayApprove, usePause, useSurfaces, useSystem } from '../bridge/queries.ts';
import { SurfaceIcon } from '../ui/SurfaceIcon.tsx';
import { visibleLine } from '../ui/visibleText.ts';
import type { Needs } from './needsYou.ts';
import { areas } from './Rail.tsx';
import { appText } from './strings.ts';

const item =
  'flex h-8 items-center gap-2 rounded-sm px-2 text-sm text-text-2 data-[selected=true]:bg-accent-soft data-[selected=true]:text-text';
const group =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-text-3';

const Item = ({ value, onSelect, children }: { value: string; onSelect: () => void; children: ReactNode }) => (
  <Command.Item value={value} onSelect={onSelect} className={item}>
    {children}
  </Command.Item>
);

/** Ctrl/⌘ K: go anywhere, pause and resume. */
export const CommandPalette = ({
  open,
  onOpenChange,
  needs,
  onKeys,
}: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly needs: Needs;
  readonly onKeys: () => void;
}) => {
  const [, navigate] = useLocation();
  const surfaces = useSurfaces().data ?? [];
  const paused = useSystem().data?.paused ?? null;
  const pause = usePause();
  const mayApprove = useMayApprove();
  const run = (action: () => void): void => {
    onOpenChange(false);
    action();
  };
  return (
    <ModalOverlay
      isOpen={open}
      onOpenChange={onOpenChange}
      isDismissable
      className="fixed inset-0 z-50 flex justify-center bg-scrim pt-[12vh]"
    >
      <Modal className="h-fit w-[560px] max-w-[92vw] overflow-hidden rounded-md border border-line-strong bg-panel">
        <Dialog aria-label={appText.paletteOpen} className="outline-none">
          <Command label={appText.paletteOpen} loop>
            <Command.Input
              autoFocus
              placeholder={appText.palette}
              className="h-11 w-full border-b border-line bg-transparent px-4 text-base outline-none! placeholder:text-text-3"
            />
            <Command.List className="max-h-[360px] overflow-y-auto p-2">
              <Command.Empty className="p-3 text-sm text-text-2">{appText.paletteEmpty}</Command.Empty>
              {needs.list.length > 0 && (
                <Command.Group heading={appText.paletteNeedsYou} className={group}>
                  {needs.list.slice(0, 20).map((need) => (
                    <Item
                      key={need.id}
                      value={`${need.words} ${need.id}`}
                      onSelect={() => run(() => navigate(need.href))}
                    >
                      <bdi className="truncate">{need.words}</bdi>
                    </Item>
                  ))}
                </Command.Group>
              )}
              <Command.Group heading={appText.paletteGo} className={group}>
                {areas.map(({ href, label, icon: Icon }) => (
                  <Item key={href} value={label} onSelect={() => run(() => navigate(href))}>
                    <Icon aria-hidden size={16} />
                    {label}
                  </Item>
                ))}
              </Command.Group>
              {surfaces.length > 0 && (
                <Command.Group heading={appText.paletteSurfaces} className={group}>
                  {surfaces.map((surface) => (
                    <Item
                      key={surface.id}
                      value={`${visibleLine(surface.label ?? '')} ${surface.address ?? ''} ${surface.id}`}
                      onSelect={() => run(() => navigate(`/surfaces/${surface.id}`))}
                    >
                      <SurfaceIcon kind={surface.kind} />
                      <bdi className="truncate">{visibleLine(surface.label ?? surface.id)}</bdi>
                    </Item>
                  ))}
                </Command.Group>
              )}
              <Command.Group heading={appText.paletteDo} className={group}>
                {mayApprove && (
                  <Item
                    value={paused === null ? appText.pause : appText.resume}
                    onSelect={() => run(() => pause.mutate(paused === null))}
                  >
                    {paused === null ? appText.pause : appText.resume}
                  </Item>
                )}
                <Item value={appText.keysTitle} onSelect={() => run(onKeys)}>
                  {appText.keysTitle}
                </Item>
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
};
