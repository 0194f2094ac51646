import { fileURLToPath } from 'node:url';
import { JobSheet, MeasuredClient, rssMiB } from './peer.ts';
import type { Answer, FormField, Job, Peer } from './peer.ts';

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `chrome-devtools-mcp` over stdio, with the identifiers of its last snapshot. */
export class DevtoolsMcp implements Peer {
  readonly name = 'Chrome DevTools MCP';
  readonly #client: MeasuredClient;
  readonly #page = { pageId: 1 };
  #snapshot = '';

  private constructor(client: MeasuredClient) {
    this.#client = client;
  }

  static async start(chromium: string): Promise<DevtoolsMcp> {
    const cli = fileURLToPath(
      new URL('./build/src/bin/chrome-devtools-mcp.js', import.meta.resolve('chrome-devtools-mcp/package.json')),
    );
    const args = [cli, '--headless', '--isolated', '--executablePath', chromium, '--viewport', '1280x800'];
    args.push('--no-usage-statistics', '--no-performance-crux');
    if (process.getuid?.() === 0) args.push('--chromeArg=--no-sandbox');
    return new DevtoolsMcp(await MeasuredClient.start(process.execPath, args));
  }

  get tools(): Peer['tools'] {
    return this.#client.tools;
  }

  async open(url: string): Promise<void> {
    const answer = await this.#client.call('navigate_page', { ...this.#page, type: 'url', url });
    if (answer.isError) throw new Error(answer.text.slice(0, 400));
    this.#snapshot = '';
  }

  async look(): Promise<Answer> {
    return this.#keep(await this.#client.call('take_snapshot', this.#page));
  }

  /** It has no search: an agent takes the whole snapshot. */
  async find(): Promise<Answer> {
    return await this.look();
  }

  async press(name: string, outcome: string): Promise<Job> {
    const sheet = new JobSheet();
    const uid = this.#uid(name);
    if (uid === undefined) return sheet.end(false, `no uid for ${name}`);
    const answer = sheet.add(await this.#client.call('click', { ...this.#page, uid }));
    if (answer.isError) return sheet.end(false, answer.text);
    return await this.#until(sheet, answer, outcome);
  }

  async type(name: string, text: string): Promise<Answer> {
    return await this.#client.call('fill', { ...this.#page, uid: this.#uid(name) ?? '', value: text });
  }

  async form(fields: readonly FormField[], submit: string, outcome: string): Promise<Job> {
    const sheet = new JobSheet();
    this.#keep(sheet.add(await this.#client.call('take_snapshot', this.#page)));
    const elements = fields.map((field) => ({ uid: this.#uid(field.name) ?? '', value: field.value }));
    const filled = sheet.add(await this.#client.call('fill_form', { ...this.#page, elements }));
    if (filled.isError) return sheet.end(false, filled.text);
    const answer = sheet.add(await this.#client.call('click', { ...this.#page, uid: this.#uid(submit) ?? '' }));
    return await this.#until(sheet, answer, outcome);
  }

  async picture(): Promise<Answer> {
    return await this.#client.call('take_screenshot', this.#page);
  }

  memory(): number {
    return rssMiB(this.#client.pid);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #until(sheet: JobSheet, answer: Answer, outcome: string): Promise<Job> {
    if (answer.text.includes(outcome)) return sheet.end(true);
    const waited = sheet.add(await this.#client.call('wait_for', { ...this.#page, text: [outcome], timeout: 10_000 }));
    this.#keep(waited);
    return sheet.end(!waited.isError && waited.text.includes(outcome), waited.isError ? waited.text : undefined);
  }

  #keep(answer: Answer): Answer {
    if (answer.text.includes('uid=')) this.#snapshot = answer.text;
    return answer;
  }

  #uid(name: string): string | undefined {
    return new RegExp(`uid=(\\S+)[^\\n"]*"${escape(name)}"`).exec(this.#snapshot)?.[1];
  }
}
