import { randomUUID } from 'node:crypto';
import { connectAgent } from './mcp.ts';
import type { AgentOptions, McpAgent } from './mcp.ts';
import { Operator } from './operator.ts';
import { Person } from './person.ts';
import { Signalbox } from './signalbox.ts';
import type { StartOptions } from './signalbox.ts';
import { Site } from './site/site.ts';

/** A console, the pages and a person: what nearly every acceptance test stands on. */
export class Stage implements AsyncDisposable {
  readonly site: Site;
  signalbox: Signalbox;
  person: Person;
  readonly #agents: McpAgent[] = [];

  private constructor(site: Site, signalbox: Signalbox, person: Person) {
    this.site = site;
    this.signalbox = signalbox;
    this.person = person;
  }

  static async open(options: StartOptions = {}): Promise<Stage> {
    const site = await Site.start();
    try {
      const signalbox = await Signalbox.start(options);
      return new Stage(site, signalbox, new Person(signalbox.person));
    } catch (error) {
      await site[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Closed with the stage. */
  async agent(options: AgentOptions = {}): Promise<McpAgent> {
    const agent = await connectAgent(this.signalbox, options);
    this.#agents.push(agent);
    return agent;
  }

  /** A new browser surface on one of the pages, with an event log of its own, and an agent at it. */
  async at(
    page: string,
    options: AgentOptions & { readonly query?: never; readonly search?: Record<string, string | number> } = {},
  ): Promise<{ operator: Operator; session: string; agentId: string }> {
    const session = randomUUID();
    const agentId = options.agent ?? `agent-${session.slice(0, 8)}`;
    const surface = await this.person.openBrowser(this.site.page(page, session, options.search), page);
    const { search: _, ...rest } = options;
    const operator = new Operator(await this.agent({ ...rest, agent: agentId }), surface.id);
    return { operator, session, agentId };
  }

  /** The same with an agent that needs no approval. */
  async trustedAt(
    page: string,
    search?: Record<string, string | number>,
  ): Promise<{ operator: Operator; session: string }> {
    const agentId = `trusted-${randomUUID().slice(0, 8)}`;
    await this.person.trust(agentId);
    return await this.at(page, { agent: agentId, ...(search === undefined ? {} : { search }) });
  }

  /** After `kill9()`: the same data, the same pages. */
  async restart(): Promise<void> {
    await this.closeAgents();
    this.signalbox = await this.signalbox.restart();
    this.person = new Person(this.signalbox.person);
  }

  async closeAgents(): Promise<void> {
    await Promise.allSettled(this.#agents.splice(0).map((agent) => agent.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeAgents();
    this.site.release();
    await this.signalbox.stop();
    await this.site[Symbol.asyncDispose]();
  }
}
