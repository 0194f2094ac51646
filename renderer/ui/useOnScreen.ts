import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/** Whether the element is in view and the page itself is visible. */
export const useOnScreen = <T extends Element>(): readonly [RefObject<T | null>, boolean] => {
  const element = useRef<T>(null);
  const [inView, setInView] = useState(false);
  const [pageVisible, setPageVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting ?? false));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const onChange = (): void => setPageVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return [element, inView && pageVisible];
};
