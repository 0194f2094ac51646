import { useEffect, useState } from 'react';

/** True once `after` milliseconds have passed since `since` (local clock); false while there is no `since`. */
export const useOverdue = (since: number | null, after: number): boolean => {
  const [overdue, setOverdue] = useState(false);
  useEffect(() => {
    setOverdue(false);
    if (since === null) return undefined;
    const timer = setTimeout(() => setOverdue(true), Math.max(0, since + after - Date.now()));
    return () => clearTimeout(timer);
  }, [since, after]);
  return overdue;
};
