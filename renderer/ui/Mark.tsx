/** The product's mark: a signal arm, cleared. */
export const Mark = ({ size = 20 }: { readonly size?: number }) => (
  <svg aria-hidden width={size} height={size} viewBox="0 0 32 32">
    <rect width="32" height="32" rx="7" fill="#161b24" />
    <path d="M10 27V6" stroke="#e6eaf0" strokeWidth="2.5" strokeLinecap="round" />
    <path d="M10 9h13l-3 3.5 3 3.5H10z" fill="#7f9cff" />
    <circle cx="10" cy="22" r="3" fill="#5fce8e" />
  </svg>
);
