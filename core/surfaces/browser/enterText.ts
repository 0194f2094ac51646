import { SignalboxError } from '../../contracts/errors.ts';
import type { Aim } from './aim.ts';
import type { InputSender } from './inputSender.ts';
import { parseChord } from './keys.ts';
import { readingText } from './targetErrors.ts';
import type { TextEntry } from './pageProtocol.ts';
import { uploadPaths } from './uploads.ts';

/** Code points sent at once: between two pieces a takeover, a pause or a cancel can stop the rest. */
const PIECE = 200;

/** A way to enter that text, found before anything is sent. Null result: done; a string: what was in the way. */
export type TextRun = (sender: InputSender) => Promise<string | null>;

const invalid = (message: string): SignalboxError => new SignalboxError('INVALID_REQUEST', message);

/** Checks the text against the field and says how it goes in. Throws INVALID_REQUEST. */
export const planText = async (aim: Aim, entry: TextEntry, value: string, uploads: string | null): Promise<TextRun> => {
  switch (entry.kind) {
    case 'type':
      if (!entry.multiline && /[\r\n]/.test(value)) {
        throw invalid(
          `${readingText(aim.ready.reading)} holds one line. Leave out the line breaks; Enter is key:Enter.`,
        );
      }
      return (sender) => typeText(aim, sender, value.replaceAll('\r\n', '\n'), entry.rich);
    case 'set':
      return (sender) => setValue(aim, sender, value);
    case 'file': {
      const paths = await uploadPaths(value, uploads, entry.multiple);
      return (sender) => setFiles(aim, sender, paths);
    }
  }
};

const notFocused = (aim: Aim): string =>
  `${readingText(aim.ready.reading)} (${aim.ref}) itself: it does not take the focus`;

const typeText = async (aim: Aim, sender: InputSender, text: string, rich: boolean): Promise<string | null> => {
  sender.allow();
  const focused = await aim.document.call('selectContent', aim.ref);
  if (!focused) return notFocused(aim);
  if (text === '') {
    await Promise.all(sender.chord(parseChord('Delete')));
    return null;
  }
  const lines = rich ? text.split('\n') : [text];
  for (const [index, line] of lines.entries()) {
    // A line break of rich text is a paragraph only the Enter key makes.
    if (index > 0) await Promise.all(sender.chord(parseChord('Enter')));
    const characters = [...line];
    for (let from = 0; from < characters.length; from += PIECE) {
      const piece = characters.slice(from, from + PIECE);
      await sender.text(piece.join(''), `text of ${piece.length} characters`);
    }
  }
  return null;
};

const setValue = async (aim: Aim, sender: InputSender, value: string): Promise<string | null> => {
  const result = await sender.attempt(
    'choice of a value',
    () => aim.document.call('setValue', { ref: aim.ref, value }),
    ({ status }) => status === 'set',
  );
  if (result.status === 'refused') {
    throw invalid(
      `${readingText(aim.ready.reading)} (${aim.ref}) does not take "${value.slice(0, 100)}": ${result.reason}`,
    );
  }
  return null;
};

const setFiles = async (aim: Aim, sender: InputSender, files: string[]): Promise<string | null> => {
  const objectId = await aim.document.handle('(ref) => A.element(ref)', aim.ref);
  if (objectId === null) return notFocused(aim);
  await sender.primitive(`${files.length} files`, () =>
    aim.document.session.send('DOM.setFileInputFiles', { files, objectId }),
  );
  void aim.document.release(objectId);
  return null;
};
