// Every situation page loads this first. It keeps what the page received, in `window.__log` and on
// the server (`GET /log/<session>`), so that a test can prove what was, and what was not, sent.
(() => {
  const params = new URLSearchParams(location.search);
  const session = params.get('s') ?? document.currentScript?.dataset.s ?? 'default';
  const log = [];
  const doc = `${performance.timeOrigin}-${Math.random()}`;
  window.__log = log;
  window.__doc = doc;
  window.siteSession = session;

  const nameOf = (node) => {
    if (!(node instanceof Element)) return String(node?.nodeName ?? 'none').toLowerCase();
    return node.id || node.getAttribute('name') || node.tagName.toLowerCase();
  };
  const keep = (entry) => {
    const line = { page: location.pathname, at: Date.now(), doc, ...entry };
    log.push(line);
    navigator.sendBeacon(`/log/${encodeURIComponent(session)}`, JSON.stringify(line));
  };
  /** What the page did of itself: an order sent, a record deleted. */
  window.record = (what, data) => keep({ type: 'app', what, data });

  const kinds = [
    'mousedown',
    'mouseup',
    'click',
    'dblclick',
    'contextmenu',
    'keydown',
    'input',
    'change',
    'submit',
    'wheel',
  ];
  for (const type of kinds) {
    window.addEventListener(
      type,
      (event) => {
        const target = event.composedPath()[0];
        keep({
          type,
          target: nameOf(target),
          trusted: event.isTrusted,
          ...('clientX' in event ? { x: event.clientX, y: event.clientY } : {}),
          ...(type === 'keydown' ? { key: event.key } : {}),
          ...(type === 'input' || type === 'change'
            ? { value: target.type === 'checkbox' ? target.checked : target.value }
            : {}),
        });
      },
      { capture: true, passive: true },
    );
  }

  /** Lets a test change the page between an agent's calls: `site.tell(session, name, data)`. */
  window.onCommand = (handlers) => {
    const path = `/command/${encodeURIComponent(session)}`;
    // A stream, not a poll: a page that has loaded is at rest.
    new EventSource(path).onmessage = (message) => {
      const { id, name, data } = JSON.parse(message.data);
      handlers[name]?.(data);
      navigator.sendBeacon(`${path}/${id}`);
    };
  };
})();
