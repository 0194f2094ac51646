/** Frames of a hidden or throttled page may never come: after so long one is taken to have passed. */
const FRAME_TIMEOUT_MS = 50;

/** True when a frame was drawn, false when none came in time. */
export function nextFrame(): Promise<boolean> {
  return new Promise((resolve) => {
    let done = false;
    const finish = (drawn: boolean) => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      resolve(drawn);
    };
    const timer = setTimeout(() => finish(false), FRAME_TIMEOUT_MS);
    requestAnimationFrame(() => finish(true));
  });
}

/** Properties whose change moves nothing and shows nothing new: hover and focus colours. */
const paintOnly = /^(color|background|border.*color|outline|box-shadow|text-decoration|fill|stroke|caret|filter)/;

/** Finite animations that are running, but for those already known and those that only paint. */
export function runningAnimations(ignore: ReadonlySet<Animation> = new Set()): Animation[] {
  return document.getAnimations().filter((animation) => !ignore.has(animation) && movesSomething(animation));
}

function movesSomething(animation: Animation): boolean {
  if (animation.playState !== 'running') return false;
  const end = animation.effect?.getComputedTiming().endTime;
  if (typeof end === 'number' && !Number.isFinite(end)) return false;
  return !(animation instanceof CSSTransition && paintOnly.test(animation.transitionProperty));
}

/** Whether an animation moves this element or something it is in. */
export function isAnimated(element: Element): boolean {
  return document.getAnimations().some((animation) => {
    const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
    return animation.playState === 'running' && target !== null && target.contains(element);
  });
}
