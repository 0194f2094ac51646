/** The visible part of a react-aria Switch; its parent carries `group`. */
export const SwitchTrack = () => (
  <span className="flex h-4 w-7 items-center rounded-full border border-line-strong bg-panel p-px group-data-[selected]:border-accent group-data-[selected]:bg-accent group-data-[focus-visible]:outline-2 group-data-[focus-visible]:outline-offset-2 group-data-[focus-visible]:outline-accent">
    <span className="size-3 rounded-full bg-line-strong group-data-[selected]:translate-x-3 group-data-[selected]:bg-on-accent" />
  </span>
);
