import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isLongRun } from '../support/long-test.js'
import { lacksBrowser, type PageBrowser, startBrowser } from '../support/page-browser.js'
import { listMarket } from './support/listed-market.js'
import { symbolOf } from './support/signed-body.js'
import { eventually, Venue } from './support/venue.js'

// The reference at /docs in a real browser: tries its requests as a reader does.

const skip = isLongRun ? lacksBrowser : 'npm run test:long'
const venue = new Venue()
/** Allows for a busy machine. */
const patience = { timeout: 60_000 }
let browser: PageBrowser

if (skip === false) {
  before(async () => {
    await venue.start()
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await venue.dispose()
  })
}

/**
 * Opens an operation and sends its example.
 * @returns the answer as the page shows it
 */
async function tryOut(operation: string): Promise<string> {
  const { page } = browser
  const block = `[id$="-${operation}"]`
  await page.locator(`${block} .opblock-summary-control`).click()
  await page.locator(`${block} .try-out__btn`).click()
  await page.locator(`${block} .execute`).click()
  const answer = page.locator(`${block} .live-responses-table .response`).first()
  await answer.waitFor(patience)
  return answer.innerText()
}

/** Returns the hosts of all requests of the page. */
const askedHosts = () =>
  browser.page.evaluate<string[]>(
    '[...new Set(performance.getEntriesByType("resource").map(({ name }) => new URL(name).host))]',
  )

test('the reference sends a read and a write, and contacts only its venue', {
  skip,
}, async () => {
  const { page, complaints } = browser
  await page.goto(`${venue.url}/docs#/`)
  for (const tag of ['Venue', 'Orders', 'Market']) {
    const section = page.locator(`[id="operations-tag-${tag}"]`)
    await section.waitFor(patience)
    await section.click()
  }
  assert.match(await tryOut('getHealth'), /^200[\s\S]*"status": "ok"/)
  const placed = await tryOut('postOrder')
  assert.match(placed, /^4\d\d[\s\S]*"code"/)
  assert.deepEqual(await askedHosts(), [new URL(venue.url).host])
  // The browser itself logs every failed answer.
  assert.deepEqual(
    complaints.filter((text) => !text.startsWith('Failed to load resource')),
    [],
  )
})

test('in development the reference signs with the demo wallet and follows the pages’ theme', {
  skip,
}, async () => {
  const { page } = browser
  await listMarket(venue, [symbolOf('BTC', 100_000)])
  // Without a link to an operation, a reload shows all sections closed.
  await page.evaluate(`location.hash = '#/'`)
  await page.evaluate(`localStorage.setItem('strikebook.choice', '{"theme":"dark"}')`)
  await page.locator('#demo-key button', { hasText: 'Create a demo wallet' }).click()
  await page
    .locator('#demo-key', { hasText: 'signs requests with the demo wallet' })
    .waitFor(patience)
  assert.equal(await page.evaluate('document.documentElement.className'), 'dark-mode')
  for (const tag of ['Orders', 'Account'])
    await page.locator(`[id="operations-tag-${tag}"]`).click()
  const placed = await tryOut('postOrder')
  assert.match(placed, /^200[\s\S]*"status": "ACKED"/)
  assert.match(await tryOut('postMarginMode'), /^200[\s\S]*"margin_mode"/)
})

test('the reference’s policy blocks every other host', { skip }, async () => {
  const { page, complaints } = browser
  const before = complaints.length
  const fate = await page.evaluate<string>(
    'fetch("http://127.0.0.1:9/").then(() => "sent", (error) => String(error))',
  )
  assert.match(fate, /Failed to fetch/)
  await eventually('the browser says why', async () =>
    complaints.slice(before).some((text) => /Content Security Policy|connect-src/.test(text)),
  )
})
