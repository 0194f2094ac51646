import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from '../ui/Button.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { Notice } from '../ui/Notice.tsx';
import { usePreferences } from '../ui/preferences.ts';
import { text } from '../ui/strings.ts';
import { appText } from './strings.ts';

export const KeyHelp = ({
  open,
  onOpenChange,
}: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) => {
  const on = usePreferences((preferences) => preferences.shortcuts);
  return (
    <ModalOverlay
      isOpen={open}
      onOpenChange={onOpenChange}
      isDismissable
      className="fixed inset-0 z-50 flex items-center justify-center bg-scrim"
    >
      <Modal className="w-[460px] max-w-[92vw] rounded-md border border-line-strong bg-panel">
        <Dialog className="space-y-3 p-5 outline-none">
          <Heading slot="title" className="text-base font-semibold">
            {appText.keysTitle}
          </Heading>
          {!on && <Notice tone="neutral">{appText.keysOff}</Notice>}
          <dl className="text-sm">
            {appText.keys.map((entry) => (
              <div key={entry.does} className="grid grid-cols-[110px_minmax(0,1fr)] items-center gap-3 py-1">
                <dt className="flex gap-1 text-text-2">
                  {entry.keys.map((key, index) => (
                    <Kbd key={`${index}${key}`}>{key}</Kbd>
                  ))}
                </dt>
                <dd>{entry.does}</dd>
              </div>
            ))}
          </dl>
          <div className="flex justify-end">
            <Button slot="close">{text.close}</Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
};
