import { useEffect } from 'react';
import { queryClient, startLive } from '../bridge/live.ts';
import { useSession } from '../bridge/token.ts';
import { CrashGuard } from './CrashGuard.tsx';
import { Shell } from './Shell.tsx';
import { SignIn } from './SignIn.tsx';

const SignedIn = ({ token }: { readonly token: string }) => {
  useEffect(() => {
    const stop = startLive(token);
    return () => {
      stop();
      queryClient.clear();
    };
  }, [token]);
  return (
    <CrashGuard>
      <Shell />
    </CrashGuard>
  );
};

export const App = () => {
  const session = useSession((state) => state.session);
  switch (session.status) {
    case 'starting':
      return null;
    case 'signed_out':
      return <SignIn reason={session.reason} />;
    case 'signed_in':
      return <SignedIn token={session.token} />;
  }
};
