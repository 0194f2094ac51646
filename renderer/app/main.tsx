import '../bridge/zodConfig.ts';
import '../ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../bridge/live.ts';
import { startSession } from '../bridge/session.ts';
import { startPreferences } from '../ui/preferences.ts';
import { App } from './App.tsx';

startPreferences();
void startSession();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
