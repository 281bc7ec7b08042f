import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newToken } from '../../gateway/operator/operator-tokens.js'
import { isLongRun } from '../support/long-test.js'
import { lacksBrowser, type PageBrowser, startBrowser } from '../support/page-browser.js'
import { usernameBody, WalletKey } from './support/signed-body.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// The operator's page in a real browser, with several identities and with unknown tokens.

const skip = isLongRun ? lacksBrowser : 'npm run test:long'
const folder = mkdtempSync(join(tmpdir(), 'strikebook-operator-page-'))
const tokensFile = join(folder, 'tokens')
const bob = newToken('bob', ['read', 'money'])
const watcher = newToken('watcher', ['read'])
const halter = newToken('halter', ['halts'])
const venue = new Venue({
  arguments: [
    ...[`--set=operator.tokensFile=${tokensFile}`, '--set=operator.secondApproval=true'],
    '--set=usernames.moderation=true',
  ],
})
const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const patience = { timeout: 60_000 }
const markup = '<img src=x onerror=document.title=1>'
const wallet = `0x${'ab'.repeat(20)}`
let browser: PageBrowser

if (skip === false) {
  before(async () => {
    writeFileSync(tokensFile, [bob.line, watcher.line, halter.line].join('\n'), { mode: 0o600 })
    await venue.start()
    await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
    await venue.set('/instruments', { symbol: 'BTC-PERP' })
    browser = await startBrowser(desktop)
  })
  after(async () => {
    await browser?.close()
    await venue.dispose()
    rmSync(folder, { recursive: true })
  })
}

async function seen(selector: string, hasText: string | RegExp): Promise<void> {
  await browser.page.locator(selector, { hasText }).first().waitFor(patience)
}

async function click(selector: string, hasText: string | RegExp = ''): Promise<void> {
  await browser.page.locator(selector, { hasText }).first().click()
}

const card = (title: string) => `section[aria-label^="${title}"]`
const count = (selector: string) => browser.page.locator(selector).count()
const hasAudit = (text: string | RegExp) => seen(`${card('Audit')} tr`, text)

async function signIn(token: string): Promise<void> {
  const { page } = browser
  await page.goto(`${venue.operatorUrl}/app`)
  if ((await count('.sign-in')) === 0) await click('button', 'Sign out')
  await page.locator('input[name=token]').fill(token)
  await page.keyboard.press('Enter')
  await page.locator('.who').waitFor(patience)
}

const modes = async (): Promise<Wire> => (await venue.operatorState()).halts
const noComplaints = () => assert.deepEqual(browser.complaints.splice(0), [])

test("the page shows nothing to an unknown token, and the venue's status to the right one", {
  skip,
}, async () => {
  const { page, complaints } = browser
  await page.goto(`${venue.operatorUrl}/app`)
  await page.locator('input[name=token]').fill('sbk_nobody')
  await page.keyboard.press('Enter')
  await seen('.notices', 'unauthorized')
  assert.equal(await count('.operator'), 0)
  assert.match(complaints.splice(0).join(), /401/)
  await signIn(venue.token)
  await seen(`${card('Threads')} td`, 'gateway-0')
  await seen(`${card('Rings')} td`, 'commands-0')
  await seen(card('Journal'), /Flush time, mean\s*[\d.]+ ms/)
  await seen(card('Funds'), /Insurance fund\s*0\.00/)
  await seen(card('Wallets in liquidation'), /Auction\s*0.*No wallet is in liquidation/s)
  await seen(card('Status'), 'All invariants hold')
  noComplaints()
})

test('the page asks for confirmation of a halt, takes Escape as no, and the audit log records the halt', {
  skip,
}, async () => {
  const { page } = browser
  await click(`${card('Trading halts')} td button`, 'Halt')
  await seen('dialog dd', 'BTC')
  await page.keyboard.press('Escape')
  await eventually('the dialog is closed', async () => (await count('dialog')) === 0)
  assert.deepEqual(await modes(), [{ underlying: 'BTC', mode: 'open' }])
  await click(`${card('Trading halts')} td button`, 'Halt')
  await click('dialog button.main')
  await seen('.notices', /^Done, sequence \d+/)
  await seen(`${card('Trading halts')} td`, 'halted')
  assert.deepEqual(await modes(), [{ underlying: 'BTC', mode: 'halted' }])
  await hasAudit(/operator.*done.*halts.*halted/)
  await click(`${card('Trading halts')} button`, 'All: Open')
  await click('dialog button.main')
  await seen(`${card('Trading halts')} td`, /^open$/)
})

test('the page sets the price of an expiry that waits for one', { skip }, async () => {
  const { page } = browser
  const expiry = Math.ceil(Date.now() / 1000) + 2
  await venue.set('/instruments', { symbol: 'XAU-20301227-1000-C', expiry })
  await click(`${card('Expiries')} button`, 'Price')
  await page.locator('.action-form input[name=price]').fill('1234')
  await click('.action-form button.main')
  await seen('dialog dd', String(expiry))
  await click('dialog button.main')
  await seen(card('Expiries'), 'No expiries')
  await hasAudit(/done.*settlement-prices.*1234/)
})

test("the page's form admits a quote provider, and its row suspends it", { skip }, async () => {
  const { page } = browser
  await page.locator('select[name=action]').selectOption('provider')
  await page.locator('.action-form input[name=wallet]').fill(wallet)
  await click('.action-form button.main')
  await click('dialog button.main')
  await seen(`${card('Quote providers')} td`, 'active')
  await click(`${card('Quote providers')} button`, 'Suspend')
  await click('dialog button.main')
  await seen(`${card('Quote providers')} td`, 'suspended')
})

test('the page approves a pending username', { skip }, async () => {
  const by = new WalletKey()
  await venue.send('POST', '/faucet', { wallet: by.wallet })
  await venue.send('POST', '/submitUsernameRequest', await usernameBody(by, 'desk_one'))
  await seen(`${card('Usernames')} td`, 'desk_one')
  await click(`${card('Usernames')} button`, 'Approve')
  await click('dialog button.main')
  await seen(card('Usernames'), 'No pending usernames')
  await hasAudit(/done.*usernames.*desk_one.*approved/)
})

test('the page shows a deposit to its second approver before the approval', { skip }, async () => {
  const { page } = browser
  await page.locator('select[name=action]').selectOption('deposit')
  await page.locator('.action-form input[name=wallet]').fill(wallet)
  await page.locator('.action-form input[name=amount]').fill('25')
  await page.locator('.action-form input[name=deposit_id]').fill(markup)
  await click('.action-form button.main')
  await click('dialog button.main')
  await seen('.notices', 'Awaiting approval by another identity')
  await seen(`${card('Requests')} button`, 'Withdraw')
  assert.equal(await page.locator('button', { hasText: 'Approve' }).count(), 0)
  const equity = async () => (await venue.read(`/portfolio?wallet=${wallet}`)).data.equity
  assert.equal(await equity(), '0')
  await signIn(bob.token)
  await click(`${card('Requests')} button`, 'Approve')
  await seen('dialog dd', 'operator')
  await seen('dialog dd', markup)
  await click('dialog button.main')
  await seen(card('Requests'), 'No pending requests')
  assert.equal(await equity(), '25')
})

test('the page shows a deposit id, a symbol and an underlying as text, never as markup', {
  skip,
}, async () => {
  await venue.operator('POST', '/halts', { underlying: markup, mode: 'halted' })
  await venue.operator('POST', '/instruments', { symbol: markup })
  await hasAudit(/refused.*halts.*<img/)
  assert.equal(await count('img'), 0)
  assert.equal(await browser.page.evaluate('document.title'), 'Strikebook')
  noComplaints()
})

test('the page offers each identity only its own actions, and the venue refuses the others too', {
  skip,
}, async () => {
  const { page } = browser
  await signIn(watcher.token)
  await seen('.empty', 'This identity has read-only access')
  await seen(`${card('Trading halts')} td`, 'BTC')
  assert.equal(await count('main button, main select'), 0)
  const body = { underlying: 'BTC', mode: 'halted' }
  const refused = await page.evaluate(`fetch('/operator/halts', { method: 'POST',
    headers: { Authorization: 'Bearer ' + sessionStorage.getItem('strikebook.operator-token') },
    body: '${JSON.stringify(body)}' }).then(({ status }) => status)`)
  assert.equal(refused, 403)
  browser.complaints.splice(0)
  await signIn(halter.token)
  await seen('.empty', 'lacks the scope read')
  assert.deepEqual(
    await page.locator('select[name=action]').innerText(),
    [
      'Select an action',
      'Set trading mode',
      'Set trading mode of the whole market',
      'Resume wallet',
      'Resolve clock alarm',
    ].join('\n'),
  )
  assert.deepEqual((await modes())[0], { underlying: 'BTC', mode: 'open' })
  noComplaints()
})

test('a token exists only in its tab: never in an address, and only while signed in', {
  skip,
}, async () => {
  const { page } = browser
  await signIn(watcher.token)
  await page.reload()
  await seen('.who', 'watcher')
  assert.doesNotMatch(await page.evaluate('JSON.stringify(localStorage) + location'), /sbk_/)
  await click('button', 'Sign out')
  await page.reload()
  await seen('.sign-in', 'operator token')
  assert.equal(await page.evaluate('sessionStorage.length'), 0)
  await page.goto(`${venue.operatorUrl}/app#token=${watcher.token}`)
  await seen('.sign-in', 'operator token')
  const { status, text } = await venue.onOperatorPort('GET', `/app?token=${watcher.token}`)
  assert.equal(status, 400)
  assert.ok(!text.includes(watcher.token))
  noComplaints()
})

test('another site can neither frame the page nor act through it, even with a valid token', {
  skip,
}, async (context) => {
  const { page, complaints } = browser
  await signIn(venue.token)
  const other = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<iframe src="${venue.operatorUrl}/app"></iframe>`)
  }).listen(0, '127.0.0.1')
  context.after(() => other.close())
  await once(other, 'listening')
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
  await eventually('the frame is refused', () => /frame-ancestors/.test(complaints.join()))
  const url = `${venue.operatorUrl}/operator/halts`
  const body = JSON.stringify({ scope: 'all', mode: 'halted' })
  const results = await page.evaluate<readonly string[]>(`Promise.all([
    { headers: { Authorization: 'Bearer ${venue.token}' } },
    { credentials: 'include' },
    { mode: 'no-cors', credentials: 'include' },
  ].map((given) => fetch('${url}', { method: 'POST', body: '${body}', ...given })
    .then(({ type }) => type, ({ message }) => message)))`)
  assert.deepEqual(new Set(results), new Set(['Failed to fetch']))
  assert.deepEqual(await modes(), [
    { underlying: 'BTC', mode: 'open' },
    { underlying: 'XAU', mode: 'open' },
  ])
  complaints.splice(0)
})

test("the page fits a phone's width", { skip }, async () => {
  const { page } = browser
  await page.setViewportSize(phone)
  await page.goto(`${venue.operatorUrl}/app`)
  await seen(`${card('Trading halts')} td`, 'BTC')
  const width = await page.evaluate('document.documentElement.scrollWidth')
  assert.ok(Number(width) <= phone.width, `the page is ${width} wide`)
  noComplaints()
})
