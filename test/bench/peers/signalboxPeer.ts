import { Signalbox } from '../../support/signalbox.ts';
import { JobSheet, MeasuredClient, rssMiB } from './peer.ts';
import type { Answer, FormField, Job, Peer } from './peer.ts';

interface Listed {
  readonly ref: string;
  readonly name?: string;
}

/** Signalbox over stdio (`signalbox mcp`), under the recorded, time-boxed `--auto-approve`. */
export class SignalboxPeer implements Peer {
  readonly name = 'Signalbox';
  readonly #box: Signalbox;
  readonly #client: MeasuredClient;
  readonly #surface: string;
  #refs = new Map<string, string>();

  private constructor(box: Signalbox, client: MeasuredClient, surface: string) {
    this.#box = box;
    this.#client = client;
    this.#surface = surface;
  }

  static async start(command: readonly string[]): Promise<SignalboxPeer> {
    const box = await Signalbox.start({ args: ['--auto-approve'] });
    const [program = '', ...first] = command;
    const token = await box.agentToken();
    const client = await MeasuredClient.start(program, [...first, 'mcp', '--url', box.url, '--token', token]);
    return new SignalboxPeer(box, client, await box.browserId());
  }

  get tools(): Peer['tools'] {
    return this.#client.tools;
  }

  async open(url: string): Promise<void> {
    const answer = await this.#client.call('operator.navigate', { surface_id: this.#surface, url });
    if (answer.isError) throw new Error(answer.text.slice(0, 400));
    this.#refs = new Map();
  }

  async look(): Promise<Answer> {
    return this.#keep(await this.#client.call('operator.perceive', { surface_id: this.#surface, limit: 50 }));
  }

  async find(name: string): Promise<Answer> {
    return this.#keep(await this.#perceive(name));
  }

  async press(name: string, outcome: string): Promise<Job> {
    const sheet = new JobSheet();
    const ref = this.#refs.get(name) ?? '';
    const answer = sheet.add(await this.#act(ref, 'press'));
    if (answer.isError || !answer.text.includes(outcome)) {
      const settled = sheet.add(await this.#client.call('operator.settle', { surface_id: this.#surface }));
      return sheet.end(settled.text.includes(outcome), answer.text);
    }
    return sheet.end(true);
  }

  async type(name: string, text: string): Promise<Answer> {
    return await this.#act(this.#refs.get(name) ?? '', 'enter_text', text);
  }

  async form(fields: readonly FormField[], submit: string, outcome: string): Promise<Job> {
    const sheet = new JobSheet();
    this.#keep(
      sheet.add(await this.#client.call('operator.perceive', { surface_id: this.#surface, limit: 20, text_limit: 0 })),
    );
    for (const field of fields) {
      const ref = this.#refs.get(field.name) ?? '';
      sheet.add(
        field.kind === 'checkbox' ? await this.#act(ref, 'press') : await this.#act(ref, 'enter_text', field.value),
      );
    }
    const answer = sheet.add(await this.#act(this.#refs.get(submit) ?? '', 'press'));
    return sheet.end(answer.text.includes(outcome), answer.text);
  }

  async picture(): Promise<Answer> {
    return await this.#client.call('operator.capture', { surface_id: this.#surface });
  }

  memory(): number {
    return rssMiB(this.#box.pid);
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#box.stop();
  }

  async #perceive(query: string): Promise<Answer> {
    return await this.#client.call('operator.perceive', { surface_id: this.#surface, query, limit: 5 });
  }

  async #act(target: string, action: string, value?: string): Promise<Answer> {
    const args = { surface_id: this.#surface, target, action, ...(value === undefined ? {} : { value }) };
    return await this.#client.call('operator.act', args);
  }

  #keep(answer: Answer): Answer {
    if (answer.isError) return answer;
    const { targets } = JSON.parse(answer.text) as { targets: readonly Listed[] };
    for (const target of targets) if (target.name !== undefined) this.#refs.set(target.name, target.ref);
    return answer;
  }
}
