import { Component } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { appText } from './strings.ts';

/** A screen that throws must not take the console with it. */
export class CrashGuard extends Component<{ readonly children: ReactNode }, { readonly failed: string | null }> {
  override state: { readonly failed: string | null } = { failed: null };

  static getDerivedStateFromError(error: unknown): { readonly failed: string } {
    return { failed: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children;
    return (
      <div role="alert" className="flex h-full flex-col items-center justify-center gap-2 p-8 text-center">
        <p className="text-base font-semibold">{appText.crashed}</p>
        <p className="text-sm text-text-2">{appText.crashedBody}</p>
        <p className="max-w-[80ch] font-mono text-xs break-words text-text-3">{this.state.failed}</p>
        <Button onPress={() => window.location.reload()}>{appText.reload}</Button>
      </div>
    );
  }
}
