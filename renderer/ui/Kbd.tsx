export const Kbd = ({ children }: { readonly children: string }) => (
  <kbd className="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-sm border border-current px-1 font-sans text-2xs font-medium opacity-80">
    {children}
  </kbd>
);
