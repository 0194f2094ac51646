import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { appText } from '../../renderer/app/strings.ts';
import { inbox } from '../../renderer/features/inbox/strings.ts';
import type { Signalbox } from './signalbox.ts';

/** The console in a real browser, worked as a person works it: by what is written and by keys. */
export class Console {
  readonly page: Page;
  readonly url: string;

  private constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  /** By the opener URL, as `npm start` opens it. Uses the opener up; gives the token that the page got. */
  static async byOpener(page: Page, signalbox: Signalbox): Promise<{ console: Console; token: string }> {
    await page.goto(signalbox.opener);
    const opened = new Console(page, signalbox.url);
    await opened.ready();
    const token = await page.evaluate(() => sessionStorage.getItem('signalbox.token'));
    if (token === null) throw new Error('The console kept no token');
    return { console: opened, token };
  }

  /** With a token it has already, as after a reload. */
  static async open(page: Page, signalbox: Signalbox, path = '/'): Promise<Console> {
    const { token } = signalbox.person;
    await page.addInitScript((value) => {
      sessionStorage.setItem('signalbox.token', value);
    }, token ?? '');
    await page.goto(new URL(path, signalbox.url).href);
    const opened = new Console(page, signalbox.url);
    await opened.ready();
    return opened;
  }

  async ready(): Promise<void> {
    await expect(this.page.getByRole('navigation', { name: appText.navigation })).toBeVisible();
  }

  /** By a link of the rail. */
  async go(name: string): Promise<void> {
    await this.page.getByRole('navigation', { name: appText.navigation }).getByRole('link', { name }).click();
  }

  async goTo(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.url).href);
    await this.ready();
  }

  /** The card of an item in the inbox, once it is there. */
  async card(id: string): Promise<Locator> {
    await this.goTo(`/inbox/${id}`);
    const card = this.page.locator(`[data-card="${id}"]`);
    await expect(card.getByRole('button', { name: inbox.approve }).first()).toBeVisible();
    return card;
  }

  /** A arms, A approves; the card wants to have been on screen for half a second. */
  async approveByKeys(): Promise<void> {
    const approve = this.page.locator('[data-approve]');
    await expect(async () => {
      if ((await approve.getAttribute('data-approve')) !== 'armed') await this.page.keyboard.press('a');
      await expect(approve).toHaveAttribute('data-approve', 'armed', { timeout: 250 });
    }).toPass({ timeout: 5_000 });
    await expect(approve).toContainText(inbox.approveArmed);
    await this.page.keyboard.press('a');
  }

  async rejectByKeys(reason: string): Promise<void> {
    await this.page.keyboard.press('r');
    await this.page.getByLabel(inbox.rejectReason).fill(reason);
    await this.page.getByRole('button', { name: inbox.rejectGo }).click();
  }

  /** Changes one field of the form made from the verb's schema. */
  async steerByForm(field: string, value: string, rationale: string): Promise<void> {
    await this.page.keyboard.press('s');
    await this.page.getByLabel(field, { exact: true }).fill(value);
    await this.page.getByLabel(inbox.rationale).fill(rationale);
    await this.page.getByRole('button', { name: inbox.steerGo }).click();
  }
}
