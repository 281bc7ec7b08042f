import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isLongRun } from '../support/long-test.js'
import { lacksBrowser, type PageBrowser, startBrowser } from '../support/page-browser.js'
import { Venue } from './support/venue.js'

// The pages at /app in a real browser, on the market that `npm start` makes.

const skip = isLongRun ? lacksBrowser : 'npm run test:long'
const funds = '--set=faucet.grantsPerMinute=100'
const venue = new Venue({ arguments: ['--feed=simulated', '--maker=on', funds] })
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

/** Loads the page, and waits until the market stands on it. */
async function openPage(): Promise<void> {
  await browser.page.goto(`${venue.url}/app`)
  await browser.page.locator('td.bid', { hasText: /\d/ }).first().waitFor()
}

test('the chain shows quotes of every expiry, and the policy is in nobody’s way', {
  skip,
}, async () => {
  await openPage()
  const { page, complaints } = browser
  assert.equal(await page.locator('.chain tr.section').count(), 4)
  assert.equal(await page.locator('.chain tbody tr:not(.section)').count(), 4 * 13)
  await page.locator('[role=tab]', { hasText: 'All' }).first().click()
  await page.waitForFunction('document.querySelectorAll(".chain td.mark").length === 416')
  assert.deepEqual(complaints, [])
})

test('keys move over the chain, and the book follows', { skip }, async () => {
  await openPage()
  const { page } = browser
  for (const key of ['j', 'j', 'l']) await page.keyboard.press(key)
  assert.equal(await page.locator('td.chosen.mark').count(), 1)
  await page.locator('.book-card h2', { hasText: / put/ }).waitFor()
  await page.locator('.rung.ask .price', { hasText: /\d/ }).first().waitFor()
  await page.keyboard.press('?')
  await page.locator('[role=dialog] kbd', { hasText: 'j' }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('[role=dialog]').count(), 0)
})
