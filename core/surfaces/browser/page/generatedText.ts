/**
 * What style adds to text: `::before` and `::after`, and upper case.
 * Text of `::before` and `::after` counts into names. Asking each element for it is the dearest part
 * of a name, so sheets are looked through first: most pages have no such rule.
 */
let signature = '';
let used = false;
let transforms = false;

export function refreshGeneratedText(roots: Iterable<DocumentOrShadowRoot>): void {
  let now = '';
  const sheets: CSSStyleSheet[] = [];
  for (const root of roots) {
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) sheets.push(sheet);
  }
  for (const sheet of sheets) now += `${sheet.href ?? ''}:${rulesOf(sheet)?.length ?? -1};`;
  if (now === signature) return;
  signature = now;
  // A sheet of another origin cannot be read: it may hold such a rule.
  const has = (test: (rule: CSSStyleRule) => boolean) =>
    sheets.some((sheet) => {
      const rules = rulesOf(sheet);
      return rules === null || hasRule(rules, test);
    });
  used = has(generates);
  transforms = has((rule) => rule.style.textTransform !== '');
}

function generates(rule: CSSStyleRule): boolean {
  if (!/::?(before|after)/.test(rule.selectorText)) return false;
  const content = rule.style.content;
  return content !== '' && content !== 'none' && content !== 'normal' && content !== '""';
}

/** Text as it is drawn: names carry upper case that the style asks for, as Chromium's do. */
export function drawnText(parent: Element, text: string): string {
  if (text === '' || !(transforms || isTransformedInline(parent))) return text;
  switch (getComputedStyle(parent).textTransform) {
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return text.replace(
        /(^|[\s\p{P}])(\p{L})/gu,
        (_, before: string, letter: string) => before + letter.toUpperCase(),
      );
    default:
      return text;
  }
}

/** By its own style attribute or that of its parent: further out it is a matter of sheets. */
function isTransformedInline(element: Element): boolean {
  for (const near of [element, element.parentElement]) {
    if (near?.hasAttribute('style') === true && (near as HTMLElement).style.textTransform !== '') return true;
  }
  return false;
}

function rulesOf(sheet: CSSStyleSheet): CSSRuleList | null {
  try {
    return sheet.cssRules;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function hasRule(rules: CSSRuleList, test: (rule: CSSStyleRule) => boolean): boolean {
  for (const rule of rules) {
    if (rule instanceof CSSImportRule) return true;
    if (rule instanceof CSSStyleRule && test(rule)) return true;
    if ('cssRules' in rule && hasRule(rule.cssRules as CSSRuleList, test)) return true;
  }
  return false;
}

export function generatedText(element: Element, place: '::before' | '::after'): string {
  if (!used) return '';
  const style = getComputedStyle(element, place);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '""' || style.display === 'none') return '';
  const text = contentText(element, content);
  return style.display.startsWith('inline') ? text : ` ${text} `;
}

/** The strings and attr() of a `content` value; an alternative after `/` wins (CSS Content 3 §1.2). */
function contentText(element: Element, content: string): string {
  const slash = content.search(/"\s*\/\s*"|\)\s*\/\s*"/);
  const part = slash >= 0 ? content.slice(content.indexOf('/', slash)) : content;
  let text = '';
  for (const [, quoted, attribute] of part.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)[^)]*\)/g)) {
    if (quoted !== undefined) text += quoted.replace(/\\(.)/g, '$1');
    else if (attribute !== undefined) text += element.getAttribute(attribute) ?? '';
  }
  return text;
}
