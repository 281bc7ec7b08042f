import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isLongRun } from '../support/long-test.js'
import {
  type BrowserOptions,
  lacksBrowser,
  type PageBrowser,
  startBrowser,
} from '../support/page-browser.js'
import { Venue } from './support/venue.js'

// All pages in browsers that store nothing for them: site data is denied or full, or the page by plain HTTP lacks
// secure-context features.

const skip = isLongRun ? lacksBrowser : 'npm run test:long'
const venue = new Venue({ arguments: ['--feed=simulated', '--maker=on'] })
const desktop = { width: 1440, height: 900 }
const patience = { timeout: 60_000 }
const host = 'venue.test'

if (skip === false) {
  before(() => venue.start())
  after(() => venue.dispose())
}

/** Throws on access, as browsers that deny site data do; other interfaces are missing. */
const denied = `
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'Notification']) {
    Object.defineProperty(window, name, {
      get() { throw new DOMException('Access is denied for this document.', 'SecurityError') },
    })
  }
  for (const name of ['serviceWorker', 'clipboard', 'locks', 'storage', 'permissions']) {
    Object.defineProperty(Navigator.prototype, name, { get: () => undefined })
  }`
const full = `Storage.prototype.setItem = () => {
    throw new DOMException('Setting the value exceeded the quota.', 'QuotaExceededError')
  }`

interface Kind {
  readonly name: string
  readonly script?: string
  readonly options?: BrowserOptions
}

const kinds: readonly Kind[] = [
  { name: 'in a browser that throws on every access to site data', script: denied },
  { name: 'in a browser whose quota is used up', script: full },
  {
    name: 'in a browser whose content setting blocks site data',
    options: { contentSettings: { cookies: 2 } },
  },
]

/** Test of a new browser, closed when the test ends. */
function pageTest(
  name: string,
  { script, options }: Kind,
  run: (
    browser: PageBrowser,
    seen: (selector: string, text?: string | RegExp) => Promise<void>,
  ) => Promise<void>,
): void {
  test(name, { skip }, async () => {
    const browser = await startBrowser(desktop, options)
    const { page, complaints } = browser
    try {
      if (script !== undefined) await page.addInitScript(script)
      await run(browser, (selector, hasText = '') =>
        page.locator(selector, { hasText }).first().waitFor(patience),
      )
      // The page retries a read that a busy venue does not answer.
      const others = complaints.filter((text) => !text.startsWith('Failed to load resource'))
      assert.deepEqual(others, [])
    } finally {
      await browser.close()
    }
  })
}

for (const kind of kinds) {
  pageTest(
    `a demo wallet trades ${kind.name}, and the page warns once that a reload loses it`,
    kind,
    async ({ page }, seen) => {
      await page.goto(`${venue.url}/app`)
      await seen('td.bid', /\d/)
      await page.keyboard.press('t')
      await page.locator('button', { hasText: 'Connect demo wallet' }).click()
      await seen('.notices .bad', 'reloading the page loses the demo wallet')
      await seen('.account b', '100,000.00')
      for (const key of ['j', 'b']) await page.keyboard.press(key)
      await page.locator('input[name=price]').fill('1.25')
      for (const key of ['Enter', 'Escape', '1']) await page.keyboard.press(key)
      await seen('.panel button.cancel', 'Cancel')
      await page.keyboard.press('x')
      await seen('.panel .empty', 'No open orders')
      assert.equal(
        await page.locator('.notices p', { hasText: 'reloading the page loses' }).count(),
        1,
      )
      await page.locator('button', { hasText: 'Disconnect' }).click()
      await page.reload()
      await seen('.account button', 'Connect demo wallet')
    },
  )

  pageTest(
    `an operator stays signed in ${kind.name} until a reload`,
    kind,
    async ({ page }, seen) => {
      await page.goto(`${venue.operatorUrl}/app`)
      await page.locator('input[name=token]').fill(venue.token)
      await page.keyboard.press('Enter')
      await seen('.notices', 'reloading the page signs you out')
      await seen('.operator td', 'gateway-0')
      await page.locator('button', { hasText: 'Sign out' }).click()
      await seen('.sign-in', 'operator token')
    },
  )

  // These pages store nothing themselves, so the strictest kind suffices.
  if (kind.script !== denied) continue
  pageTest(`the index and the reference work ${kind.name}`, kind, async ({ page }, seen) => {
    await page.goto(`${venue.url}/`)
    await seen('h1', 'Strikebook')
    await page.goto(`${venue.url}/docs`)
    await seen('[id="operations-tag-Orders"]')
    await page.goto(`${venue.operatorUrl}/docs`)
    await seen('.opblock-tag')
  })
}

pageTest(
  'a demo wallet trades over plain HTTP from another host',
  {
    name: '',
    options: { flags: [`--host-resolver-rules=MAP ${host} 127.0.0.1`] },
  },
  async ({ page }, seen) => {
    const url = `http://${host}:${new URL(venue.url).port}`
    await page.goto(`${url}/app`)
    assert.equal(await page.evaluate('isSecureContext'), false)
    await seen('td.bid', /\d/)
    await page.locator('button', { hasText: 'Connect demo wallet' }).click()
    await seen('.account b', '100,000.00')
    for (const key of ['j', 'r', 'j', 'R']) await page.keyboard.press(key)
    await page.locator('button', { hasText: 'Request quotes' }).click()
    await page.locator('button.accept').first().click()
    await seen('.live-rfq h3', 'Executed')
    await page.goto(`${url}/docs`)
    await seen('[id="operations-tag-Orders"]')
  },
)
