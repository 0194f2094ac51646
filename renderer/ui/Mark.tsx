/** The product's mark, a semaphore at clear: `assets/icons/icon.svg` with the little that is seen at this size. */
export const Mark = ({ size = 20 }: { readonly size?: number }) => (
  <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden className="shrink-0">
    <rect width="64" height="64" rx="14" fill="#171c25" />
    <g fill="#e7ebf1">
      <rect x="23.5" y="9" width="5" height="45" rx="2.5" />
      <rect x="16" y="51" width="20" height="4.5" rx="2.25" />
    </g>
    <g transform="rotate(-30 26 27)">
      <path d="M26 21H55L50.5 27L55 33H26Z" fill="#8aa5ff" stroke="#8aa5ff" strokeWidth="2" strokeLinejoin="round" />
      <circle cx="16" cy="27" r="7.5" fill="#12161d" stroke="#e7ebf1" strokeWidth="2.5" />
      <circle cx="16" cy="27" r="4.25" fill="#63d191" />
    </g>
    <circle cx="26" cy="27" r="3.25" fill="#e7ebf1" />
  </svg>
);
