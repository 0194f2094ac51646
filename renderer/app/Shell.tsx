import { CircleX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import { AgentsPage } from '../features/agents/AgentsPage.tsx';
import { DecidedPage } from '../features/inbox/DecidedPage.tsx';
import { InboxPage } from '../features/inbox/InboxPage.tsx';
import { PoliciesPage } from '../features/policies/PoliciesPage.tsx';
import { SettingsPage } from '../features/settings/SettingsPage.tsx';
import { SurfacePage } from '../features/surfaces/SurfacePage.tsx';
import { SurfacesPage } from '../features/surfaces/SurfacesPage.tsx';
import { ReceiptPage } from '../features/timeline/ReceiptPage.tsx';
import { TimelinePage } from '../features/timeline/TimelinePage.tsx';
import { Empty } from '../ui/Empty.tsx';
import { useKeys } from '../ui/useKeys.ts';
import { Announcer } from './Announcer.tsx';
import { Banners } from './Banners.tsx';
import { CommandPalette } from './CommandPalette.tsx';
import { KeyHelp } from './KeyHelp.tsx';
import { useNeedsYou } from './needsYou.ts';
import { Rail } from './Rail.tsx';
import { appText } from './strings.ts';
import { TopBar } from './TopBar.tsx';

const Screens = () => (
  <Switch>
    <Route path="/">
      <Redirect to="/inbox" replace />
    </Route>
    <Route path="/inbox">
      <InboxPage kind="approval" id={null} />
    </Route>
    <Route path="/inbox/decided/:id?">{({ id }) => <DecidedPage id={id ?? null} />}</Route>
    <Route path="/inbox/lease/:id">{({ id }) => <InboxPage kind="lease" id={id} />}</Route>
    <Route path="/inbox/:id">{({ id }) => <InboxPage kind="approval" id={id} />}</Route>
    <Route path="/surfaces">
      <SurfacesPage />
    </Route>
    <Route path="/surfaces/:id">{({ id }) => <SurfacePage id={id} />}</Route>
    <Route path="/timeline/:id?">{({ id }) => <TimelinePage id={id ?? null} />}</Route>
    <Route path="/receipts/:id">{({ id }) => <ReceiptPage id={id} />}</Route>
    <Route path="/agents">
      <AgentsPage />
    </Route>
    <Route path="/policies/:id?">{({ id }) => <PoliciesPage id={id ?? null} />}</Route>
    <Route path="/settings">
      <SettingsPage />
    </Route>
    <Route>
      <Empty
        icon={CircleX}
        heading="h1"
        title={appText.notFound}
        action={
          <Link href="/inbox" className="text-accent underline underline-offset-2">
            {appText.home}
          </Link>
        }
      />
    </Route>
  </Switch>
);

/** Ctrl/⌘ K, also while typing. */
const usePaletteKey = (open: () => void): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [open]);
};

export const Shell = () => {
  const needs = useNeedsYou();
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  usePaletteKey(() => setPalette(true));
  useKeys({ '?': () => setHelp(true) });
  return (
    <div className="flex h-full">
      <a
        href="#content"
        className="sr-only z-50 rounded-md border border-accent bg-panel px-3 py-1 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {appText.skip}
      </a>
      <Rail needs={needs.list.length} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar onPalette={() => setPalette(true)} />
        <Banners />
        <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none!">
          <Screens />
        </main>
      </div>
      <Announcer needs={needs} />
      <CommandPalette open={palette} onOpenChange={setPalette} needs={needs} onKeys={() => setHelp(true)} />
      <KeyHelp open={help} onOpenChange={setHelp} />
    </div>
  );
};
