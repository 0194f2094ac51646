/** Tables from WAI-ARIA 1.2 and HTML-AAM 1.0. */

const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/** Concrete roles that may stand in a `role` attribute. */
export const knownRoles = words(`
  alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
  complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid
  gridcell group heading img image insertion link list listbox listitem log main marquee math menu menubar menuitem
  menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio
  radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong
  subscript superscript suggestion switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree
  treegrid treeitem graphics-document graphics-object graphics-symbol mark comment doc-backlink doc-biblioref
  doc-glossref doc-noteref`);

/** A person works these; always targets. */
export const controlRoles = words(`
  button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem textbox searchbox
  combobox spinbutton slider doc-backlink doc-biblioref doc-glossref doc-noteref`);

/** Targets only when they take the focus. */
export const focusableRoles = words(`
  listbox tree grid treegrid tablist menu menubar radiogroup gridcell columnheader rowheader separator scrollbar
  application img image row cell listitem list feed article region log table generic group none presentation`);

/** Name may come from content (ARIA 1.2 §5.2.8.4). */
export const namedByContent = words(`
  button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row
  rowheader switch tab tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref`);

/** Containers whose name helps to find what is inside. */
export const contextRoles = words(`
  form region dialog alertdialog group radiogroup toolbar menu menubar tablist tabpanel navigation complementary
  banner contentinfo main search table grid treegrid tree listbox article row listitem figure feed list`);

export const rowRoles = words('row listitem article');

/** Global ARIA attributes that overrule role none (ARIA 1.2 §7, presentational conflict). */
export const globalAria = [
  'aria-atomic',
  'aria-busy',
  'aria-controls',
  'aria-current',
  'aria-describedby',
  'aria-details',
  'aria-dropeffect',
  'aria-flowto',
  'aria-grabbed',
  'aria-keyshortcuts',
  'aria-label',
  'aria-labelledby',
  'aria-live',
  'aria-owns',
  'aria-relevant',
  'aria-roledescription',
];

export const inputRoles: Readonly<Record<string, string>> = {
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  file: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
};

export const tagRoles: Readonly<Record<string, string>> = {
  article: 'article',
  aside: 'complementary',
  blockquote: 'blockquote',
  button: 'button',
  caption: 'caption',
  code: 'code',
  datalist: 'listbox',
  dd: 'definition',
  del: 'deletion',
  details: 'group',
  dfn: 'term',
  dialog: 'dialog',
  dt: 'term',
  em: 'emphasis',
  fieldset: 'group',
  figure: 'figure',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hgroup: 'group',
  hr: 'separator',
  ins: 'insertion',
  li: 'listitem',
  main: 'main',
  math: 'math',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  search: 'search',
  strong: 'strong',
  sub: 'subscript',
  summary: 'button',
  sup: 'superscript',
  svg: 'img',
  table: 'table',
  tbody: 'rowgroup',
  textarea: 'textbox',
  tfoot: 'rowgroup',
  thead: 'rowgroup',
  time: 'time',
  tr: 'row',
  ul: 'list',
  form: 'form',
  canvas: 'canvas',
  video: 'video',
  audio: 'audio',
  iframe: 'iframe',
  frame: 'iframe',
  embed: 'embed',
  object: 'object',
};

/** Never rendered, or nothing in it to work or read. */
export const skippedTags = words(
  'script style template head meta link title base noscript param source track datalist col colgroup wbr br',
);
