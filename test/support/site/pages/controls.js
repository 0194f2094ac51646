// `?n=10000` interactive elements of the kinds real pages have: links, buttons, labelled inputs,
// names by aria-label and aria-labelledby, nested open shadow roots, and five frames. No event log:
// the page is for measuring.
(() => {
  const params = new URLSearchParams(location.search);
  const n = Number(params.get('n') ?? 100);
  const frames = Number(params.get('frames') ?? (n >= 500 ? 5 : 0));
  const area = document.getElementById('area');

  const make = {
    link: (i) => `<a href="#item-${i}">Item ${i} details</a>`,
    button: (i) => `<button type="button">Action ${i}</button>`,
    input: (i) => `<label for="in-${i}">Field ${i}</label><input id="in-${i}" value="v${i}">`,
    aria: (i) => `<div role="button" tabindex="0" aria-label="Tool ${i}">*</div>`,
    labelledby: (i) => `<span id="lb-${i}">Switch ${i}</span><input type="checkbox" aria-labelledby="lb-${i}">`,
  };
  const kinds = Object.keys(make);
  const inShadow = Math.floor(n / 10);
  const inFrames = frames > 0 ? Math.floor(n / 10) : 0;
  const plain = n - inShadow - inFrames;

  const block = (from, count) => {
    let html = '';
    for (let i = from; i < from + count; i += 1) html += `<div class="row">${make[kinds[i % kinds.length]](i)}</div>`;
    return html;
  };
  area.innerHTML = block(0, plain);

  // A nest of two shadow roots for every twenty controls.
  for (let i = 0; i < inShadow; i += 20) {
    const host = document.createElement('section');
    area.append(host);
    const outer = host.attachShadow({ mode: 'open' });
    outer.innerHTML = '<div id="in"></div>';
    const inner = outer.getElementById('in').attachShadow({ mode: 'open' });
    inner.innerHTML = block(plain + i, Math.min(20, inShadow - i));
  }
  for (let f = 0; f < frames; f += 1) {
    const frame = document.createElement('iframe');
    frame.title = `Frame ${f}`;
    const share = Math.floor(inFrames / frames);
    frame.srcdoc = `<!doctype html><title>Frame ${f}</title>${block(plain + inShadow + f * share, share)}`;
    area.append(frame);
  }

  const total = document.getElementById('total');
  let pressed = 0;
  const set = (text) => {
    total.textContent = text;
  };
  document.getElementById('now').addEventListener('click', () => {
    pressed += 1;
    set(`sync-${pressed}`);
  });
  document.getElementById('one').addEventListener('click', () => {
    pressed += 1;
    area.querySelector('button').textContent = `Renamed ${pressed}`;
  });
  document.getElementById('insert').addEventListener('click', () => {
    pressed += 1;
    area.insertAdjacentHTML('afterbegin', `<div class="row"><button type="button">Inserted ${pressed}</button></div>`);
  });
  document.getElementById('five').addEventListener('submit', (event) => {
    event.preventDefault();
    set(`Thanks ${document.getElementById('f1').value}`);
  });
})();
