import { useState } from 'react';
import type { ReactNode } from 'react';
import { Switch } from 'react-aria-components';
import { useMe, useSystem } from '../../bridge/queries.ts';
import { principalText } from '../../ui/format.ts';
import { Notice } from '../../ui/Notice.tsx';
import { usePreferences } from '../../ui/preferences.ts';
import { ScreenHead } from '../../ui/Screen.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { SwitchTrack } from '../../ui/SwitchTrack.tsx';
import { settingsText as t } from './strings.ts';

const Row = ({ label, hint, children }: { label: string; hint: string; children: ReactNode }) => (
  <div className="flex items-center justify-between gap-6 border-b border-line py-3">
    <div>
      <p className="text-sm font-medium">{label}</p>
      <p className="text-xs text-text-3">{hint}</p>
    </div>
    {children}
  </div>
);

const Toggle = ({
  label,
  on,
  onChange,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}) => (
  <Switch aria-label={label} isSelected={on} onChange={onChange} className="group flex items-center">
    <SwitchTrack />
  </Switch>
);

/** Permission is asked for only when a person switches notifications on. */
const useNotificationSwitch = () => {
  const [fault, setFault] = useState<string | null>(null);
  const change = async (on: boolean): Promise<void> => {
    if (!on) return usePreferences.setState({ notifications: false });
    if (!('Notification' in window)) return setFault(t.unsupported);
    const permission = await Notification.requestPermission();
    setFault(permission === 'granted' ? null : t.denied);
    usePreferences.setState({ notifications: permission === 'granted' });
  };
  return { fault, change };
};

const About = () => {
  const system = useSystem().data;
  const me = useMe().data;
  const rows = [
    { label: t.signedInAs, value: me === undefined ? '' : `${principalText(me.principal)} (${me.roles.join(', ')})` },
    { label: t.version, value: system?.version ?? '' },
    { label: t.data, value: system?.data ?? '' },
    { label: t.host, value: system?.host ?? '' },
  ];
  return (
    <dl className="grid grid-cols-[120px_minmax(0,1fr)] gap-y-1.5 text-sm">
      {rows.map((row) => (
        <div key={row.label} className="contents">
          <dt className="text-text-3">{row.label}</dt>
          <dd className="break-all text-text-2">{row.value}</dd>
        </div>
      ))}
    </dl>
  );
};

export const SettingsPage = () => {
  const preferences = usePreferences();
  const { fault, change } = useNotificationSwitch();
  return (
    <>
      <ScreenHead title={t.title} />
      <div className="min-h-0 flex-1 overflow-y-auto bg-panel">
        <div className="mx-auto max-w-[640px] p-6">
          <Row label={t.theme} hint={t.themeHint}>
            <Segmented
              label={t.theme}
              options={[
                { id: 'system', label: t.themes.system },
                { id: 'light', label: t.themes.light },
                { id: 'dark', label: t.themes.dark },
              ]}
              value={preferences.theme}
              onChange={(theme) => usePreferences.setState({ theme })}
            />
          </Row>
          <Row label={t.shortcuts} hint={t.shortcutsHint}>
            <Toggle
              label={t.shortcuts}
              on={preferences.shortcuts}
              onChange={(shortcuts) => usePreferences.setState({ shortcuts })}
            />
          </Row>
          <Row label={t.notifications} hint={t.notificationsHint}>
            <Toggle label={t.notifications} on={preferences.notifications} onChange={(on) => void change(on)} />
          </Row>
          {fault !== null && (
            <div className="pt-3">
              <Notice tone="caution" role="alert">
                {fault}
              </Notice>
            </div>
          )}
          <h2 className="mt-8 mb-3 text-base font-semibold">{t.about}</h2>
          <About />
        </div>
      </div>
    </>
  );
};
