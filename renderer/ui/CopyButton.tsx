import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './Button.tsx';
import { text } from './strings.ts';

const CopyButton = ({ value, label = text.copy }: { readonly value: string; readonly label?: string }) => {
  const [copied, setCopied] = useState<string | null>(null);
  const done = copied === value;
  return (
    <Button
      size="small"
      onPress={() => {
        void navigator.clipboard.writeText(value).then(() => setCopied(value));
      }}
    >
      {done ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
      <span aria-live="polite">{done ? text.copied : label}</span>
    </Button>
  );
};

/** Code to paste, selectable, with its copy button. */
export const CopyBlock = ({ caption, code }: { readonly caption: string; readonly code: string }) => (
  <figure className="overflow-hidden rounded-md border border-line bg-sunken">
    <figcaption className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-3 text-xs text-text-2">
      {caption}
      <CopyButton value={code} />
    </figcaption>
    <pre
      tabIndex={0}
      aria-label={caption}
      className="overflow-auto p-3 font-mono text-xs leading-5 break-all whitespace-pre-wrap text-text"
    >
      {code}
    </pre>
  </figure>
);
