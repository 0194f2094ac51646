import { fileURLToPath } from 'node:url';
import { JobSheet, MeasuredClient, rssMiB } from './peer.ts';
import type { Answer, FormField, Job, Peer } from './peer.ts';

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `@playwright/mcp` over stdio, with the references of its last snapshot. */
export class PlaywrightMcp implements Peer {
  readonly name = 'Playwright MCP';
  readonly #client: MeasuredClient;
  #snapshot = '';

  private constructor(client: MeasuredClient) {
    this.#client = client;
  }

  static async start(chromium: string): Promise<PlaywrightMcp> {
    const cli = fileURLToPath(new URL('./cli.js', import.meta.resolve('@playwright/mcp/package.json')));
    const args = [cli, '--headless', '--isolated', '--executable-path', chromium, '--viewport-size', '1280x800'];
    if (process.getuid?.() === 0) args.push('--no-sandbox');
    return new PlaywrightMcp(await MeasuredClient.start(process.execPath, args));
  }

  get tools(): Peer['tools'] {
    return this.#client.tools;
  }

  async open(url: string): Promise<void> {
    const answer = await this.#client.call('browser_navigate', { url });
    if (answer.isError) throw new Error(answer.text.slice(0, 400));
    this.#snapshot = '';
  }

  async look(): Promise<Answer> {
    const answer = await this.#client.call('browser_snapshot', {});
    this.#keep(answer);
    return answer;
  }

  async find(name: string): Promise<Answer> {
    return await this.#client.call('browser_find', { text: name });
  }

  async press(name: string, outcome: string): Promise<Job> {
    const sheet = new JobSheet();
    const ref = this.#ref(name);
    if (ref === undefined) return sheet.end(false, `no ref for ${name}`);
    const answer = this.#keep(sheet.add(await this.#client.call('browser_click', { target: ref, element: name })));
    if (answer.isError) return sheet.end(false, answer.text);
    return await this.#until(sheet, answer, outcome);
  }

  async type(name: string, text: string): Promise<Answer> {
    return await this.#client.call('browser_type', { target: this.#ref(name) ?? '', element: name, text });
  }

  async form(fields: readonly FormField[], submit: string, outcome: string): Promise<Job> {
    const sheet = new JobSheet();
    this.#keep(sheet.add(await this.#client.call('browser_snapshot', {})));
    const kinds = { text: 'textbox', select: 'combobox', checkbox: 'checkbox' } as const;
    const filled = fields.map((field) => ({
      name: field.name,
      element: field.name,
      type: kinds[field.kind],
      target: this.#ref(field.name) ?? '',
      value: field.value,
    }));
    this.#keep(sheet.add(await this.#client.call('browser_fill_form', { fields: filled })));
    const ref = this.#ref(submit) ?? '';
    const answer = this.#keep(sheet.add(await this.#client.call('browser_click', { target: ref, element: submit })));
    return await this.#until(sheet, answer, outcome);
  }

  async picture(): Promise<Answer> {
    return await this.#client.call('browser_take_screenshot', { type: 'png' });
  }

  memory(): number {
    return rssMiB(this.#client.pid);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #until(sheet: JobSheet, answer: Answer, outcome: string): Promise<Job> {
    if (answer.text.includes(outcome)) return sheet.end(true);
    const waited = this.#keep(sheet.add(await this.#client.call('browser_wait_for', { text: outcome })));
    return sheet.end(!waited.isError && waited.text.includes(outcome), waited.isError ? waited.text : undefined);
  }

  #keep(answer: Answer): Answer {
    if (answer.text.includes('[ref=')) this.#snapshot = `${answer.text}\n${this.#snapshot.slice(0, 4_000_000)}`;
    return answer;
  }

  #ref(name: string): string | undefined {
    return new RegExp(`"${escape(name)}"[^\\n]*\\[ref=([a-z0-9]+)\\]`).exec(this.#snapshot)?.[1];
  }
}
