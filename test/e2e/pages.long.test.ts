import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectStrikebook } from '../../gateway/client/strikebook-client.js'
import { isLongRun } from '../support/long-test.js'
import { lacksBrowser, type PageBrowser, startBrowser } from '../support/page-browser.js'
import { WalletKey } from './support/signed-body.js'
import { eventually, Venue } from './support/venue.js'

// The pages at /app in a real browser, on the market that `npm start` makes.

const skip = isLongRun ? lacksBrowser : 'npm run test:long'
/** Perps pay each other every other second. */
const funding = ['enabled=true', 'sampleSeconds=1', 'periodSeconds=2']
const venue = new Venue({
  arguments: [
    ...['--feed=simulated', '--maker=on'],
    ...funding.map((setting) => `--set=perp.funding.${setting}`),
  ],
})
const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }
const warmMillis = 20_000
const lookMillis = 60_000
const frameLookMillis = 20_000
const minuteMillis = 60_000
/** Half of what a frame has at 60 a second: painting needs the rest. */
const frameMillisMax = 8
/** Timeout for a busy machine. */
const patience = { timeout: 60_000 }
let browser: PageBrowser

if (skip === false) {
  before(async () => {
    await venue.start()
    browser = await startBrowser(desktop)
  })
  after(async () => {
    await browser?.close()
    await venue.dispose()
  })
}

/** Loads the page, and waits until it shows the market. */
async function openPage({ page } = browser): Promise<void> {
  await page.goto(`${venue.url}/app`)
  await page.locator('td.bid', { hasText: /\d/ }).first().waitFor(patience)
}

/** Waits for something on the page. */
async function seen(selector: string, hasText: string | RegExp): Promise<void> {
  await browser.page.locator(selector, { hasText }).first().waitFor(patience)
}

/** Waits until so many are on the page, and no more: the market comes piece by piece. */
async function drawn(selector: string, count: number): Promise<void> {
  const { page } = browser
  await eventually(`${count} ${selector}`, async () => {
    return (await page.locator(selector).count()) === count
  })
}

function inputOf(name: string): Promise<string> {
  return browser.page.evaluate(`document.querySelector('input[name=${name}]').value`)
}

/** Errors that forms show. */
function faults(): Promise<readonly string[]> {
  return browser.page.evaluate(
    `[...document.querySelectorAll('.fault')].map((each) => each.textContent).filter(Boolean)`,
  )
}

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await browser.page.keyboard.press(key)
}

test('the chain shows all expiries and options, without an error or a request that its policy blocks', {
  skip,
}, async () => {
  await openPage()
  assert.deepEqual(await faults(), [])
  const { page, complaints } = browser
  const summaries = await page.evaluate<number>(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/options-summary')).length`)
  assert.equal(summaries, 0, 'every figure of the chain comes by the stream')
  await drawn('.chain tr.section', 4)
  await drawn('.chain tbody tr:not(.section)', 4 * 13)
  await page.locator('[role=tab]', { hasText: /^All$/ }).click()
  await drawn('td.mark', 416)
  await page.locator('[role=tab]', { hasText: /^BTC$/ }).first().click()
  assert.deepEqual(complaints, [])
})

test('keys move over the chain, and the book follows', { skip }, async () => {
  const { page } = browser
  await press('j', 'j', 'l')
  assert.equal(await page.locator('td.chosen.mark').count(), 1)
  await seen('.book-card h2', / put/)
  await seen('.rung.ask .price', /\d/)
  await press('?')
  await seen('[role=dialog] kbd', 'j')
  await press('Escape')
  assert.equal(await page.locator('[role=dialog]').count(), 0)
})

test('a new demo wallet gets funds, buys at the clicked asks, and sees its fills', {
  skip,
}, async () => {
  const { page } = browser
  await page.locator('button', { hasText: 'Connect demo wallet' }).click()
  await seen('.notices', 'The faucet credited 100,000 USD')
  const orders = 6
  for (let place = 0; place < orders; place++) {
    await page
      .locator('td.ask', { hasText: /\d/ })
      .nth(2 * place)
      .click()
    await page.keyboard.press('Enter')
    await drawn('.ticket-card button[type=submit]:not([disabled])', 1)
  }
  await press('Escape', '3')
  // An ask that moves while its order is on the way leaves a resting order.
  const filledMin = orders - 2
  await eventually(`${filledMin} fills`, async () => {
    return (await page.locator('.panel .list tbody tr').count()) >= filledMin
  })
  await press('X', '1')
  await seen('.panel .empty', 'No open orders')
  await press('2')
  await seen('.panel .list td', '0.1')
  await seen('.account .pnl', /^P&L [+-]?\d/)
})

/** Requests money with the faucet's button. @returns the venue's status, and whether the button counts down then. */
async function requestFaucet(): Promise<readonly [number, boolean]> {
  const { page } = browser
  await page.locator('button.faucet:not([disabled])').waitFor(patience)
  await page.evaluate(`window.faucetStatus = 0
    window.venueFetch ??= window.fetch
    window.fetch = async (url, options) => {
      const answer = await window.venueFetch(url, options)
      if (String(url).endsWith('/faucet')) window.faucetStatus = answer.status
      return answer
    }
    document.querySelector('button.faucet').click()`)
  await eventually('the venue answers', () => page.evaluate<boolean>('window.faucetStatus > 0'))
  const status = await page.evaluate<number>('window.faucetStatus')
  await seen(
    '.notices',
    status === 200 ? 'The faucet credited' : /The faucet is available again in \d+ s/,
  )
  const text = await page.locator('button.faucet').innerText()
  return [status, /^Faucet in \d+ s$/.test(text)]
}

test('the page shows the wait of the faucet, and another wallet of this machine gets funds immediately', {
  skip,
}, async () => {
  const { complaints } = browser
  // If the minute ends in between, the countdown ends or the faucet grants the request. The test then retries.
  await eventually(
    'a countdown after a grant',
    async () => String(await requestFaucet()) === '200,true',
    4 * minuteMillis,
  )
  await eventually('a countdown after a refusal', async () => {
    await openPage() // a new page has no countdown
    return String(await requestFaucet()) === '429,true'
  })
  for (const complaint of complaints.splice(0)) assert.match(complaint, /429/)
  const { wallet } = new WalletKey()
  assert.equal((await venue.send('POST', '/faucet', { wallet })).status, 200)
})

test('a price shows its source, book or provider, and an own bid crosses no row', {
  skip,
}, async () => {
  const { page } = browser
  await seen('.legend', 'Provider quote')
  await page.locator('td.ask[data-source=provider]').nth(15).click()
  await seen('.provider-quote', /\d/)
  await seen('.preview', 'provider auction; rests if unfilled')
  const symbol = await page.evaluate<string>(`document.querySelector('td.chosen').dataset.symbol`)
  // A typed price stays fixed; a clicked one would follow the ask of the book.
  await page.locator('input[name=price]').fill(await inputOf('price'))
  await page.locator('select[name=route]').selectOption('book_only')
  await seen('.preview', 'rests on the book')
  await page.locator('.ticket-card button[type=submit]').click()
  await seen('.notices', /Order accepted: Buy 0\.1/)
  await seen(`td.mark[data-symbol="${symbol}"] .own`, '●')
  const looks = 10
  for (let look = 0; look < looks; look++) {
    const [bid, ask] = await page.evaluate<readonly [number, number]>(
      `['bid', 'ask'].map((side) => Number(
        document.querySelector('td.' + side + '[data-symbol="${symbol}"]').textContent.replace(',', '')))`,
    )
    assert.ok(bid < ask, `bid ${bid}, ask ${ask}`)
    await sleep(200)
  }
  await page.locator('select[name=route]').selectOption('best_execution')
  await press('Escape', 'X', '1')
  await seen('.panel .empty', 'No open orders')
})

test('a resting order is marked in the chain and cancelled by a key', { skip }, async () => {
  const { page } = browser
  await press('j', 'b')
  await page.locator('input[name=price]').fill('1.5')
  await press('Enter', 'Escape', '1')
  await seen('.panel button.cancel', 'Cancel')
  await seen('td .own', '●')
  await press('x')
  await seen('.notices', 'Canceled: Buy 0.1')
  await seen('.panel .empty', 'No open orders')
})

test('a combo of two legs is requested, quoted and traded', { skip }, async () => {
  const { page } = browser
  await press('5')
  await seen('.composer', 'Add options from the chain as legs')
  assert.deepEqual(await faults(), [])
  await press('r', 'j', 'R')
  await drawn('.rfq .leg', 2)
  await page.locator('button', { hasText: 'Request quotes' }).click()
  await page.locator('button.accept').first().waitFor(patience)
  await seen('.quote .countdown', /expires in \d+ s/)
  await page.locator('button.accept').first().click()
  await seen('.live-rfq h3', 'Executed')
})

test('the page shows the risk of the combo, the smile, and the stages of its order', {
  skip,
}, async () => {
  await press('6')
  await seen('.worst', /^Worst case: .+, loss [\d,.]+ USD/)
  await press('7')
  await seen('.surface td', /%$/)
  await press('8')
  await seen('.panel .empty', 'No competition has started yet')
  await press('9')
  await seen('.stages li', /Decide.*µs/s)
})

test('keys buy the perp of an underlying, and the list of perps shows the position', {
  skip,
}, async () => {
  const { page } = browser
  await press('p')
  await seen('.perps .list td', 'BTC perp')
  await seen('.rung.ask .price', /^9|^1/)
  await press('b')
  const ask = Number(await inputOf('price'))
  assert.ok(ask > 1000, `the ask is ${ask}`)
  await page.locator('input[name=price]').fill(String(Math.round(ask / 100) * 100 + 100))
  await seen('.verdict', 'would be accepted')
  await press('Enter', 'Escape')
  await seen('.notices', 'Bought 0.1 BTC perp')
  assert.equal(await page.locator('.notices p', { hasText: /^Filled/ }).count(), 0)
  await seen('.perps .facts', /Position\s*0\.1/)
})

test('a perp order is changed in two steps, and appears as one order', {
  skip,
}, async () => {
  const { page } = browser
  await press('b')
  await page.locator('input[name=price]').fill('91000')
  await press('Enter', 'Escape', '1')
  await seen('.panel .list td', /^91000$/)
  await press('c')
  await seen('.change', /Cancel and replace .*0\.1 at 91000/)
  await page.locator('input[name=price]').fill('92000')
  await press('Enter', 'Escape')
  await seen('.panel .list td', /^92000$/)
  await drawn('.panel .list tbody tr', 1)
  await drawn('.change', 0)
  await press('x')
  await seen('.panel .empty', 'No open orders')
})

test('the account shows the funding of the wallet by the hour', {
  skip,
}, async () => {
  await press('4')
  await seen('.account-panel .facts dd', /^[+-]\d/)
  await seen('.account-panel .list td', /^[+-]\d/)
})

test('an order is changed in one step, by a key and at its price in the ladder', {
  skip,
}, async () => {
  const { page } = browser
  await press('j', 'b')
  await page.locator('input[name=price]').fill('1.5')
  await press('Enter', 'Escape', '1')
  await seen('.panel .list td', /^1\.5$/)
  await press('c')
  await seen('.change', '0.1 at 1.5')
  assert.equal(await inputOf('size'), '0.1')
  await page.locator('input[name=price]').fill('1.7')
  await press('Enter', 'Escape')
  await seen('.panel .list td', /^1\.7$/)
  await page.locator('button.own-rung').click()
  await seen('.change', '0.1 at 1.7')
  await press('ArrowUp', 'Enter', 'Escape')
  await seen('.panel .list td', /^1\.8$/)
  await drawn('.panel .list tbody tr', 1)
  await drawn('.change', 0)
  await press('x')
  await seen('.panel .empty', 'No open orders')
})

test('changing an ended order fails, and sends no new order', {
  skip,
}, async () => {
  const { page } = browser
  await press('b')
  await page.locator('input[name=price]').fill('1.5')
  await press('Enter', 'Escape')
  await seen('.panel .list td', /^1\.5$/)
  await press('c')
  await seen('.change', '0.1 at 1.5')
  await page.locator('.panel button.cancel').click()
  await seen('.fault', 'no longer open')
  assert.equal(await page.locator('.ticket-card button[type=submit]:disabled').count(), 1)
  await press('Escape')
  await drawn('.change', 0)
})

test('an agent is approved after a confirmation, and revoked', { skip }, async () => {
  const { page } = browser
  const agent = `0x${'1f'.repeat(20)}`
  await press('a')
  await page.locator('input[name=agent]').fill(agent)
  await press('Enter')
  await seen('.confirm', agent)
  await seen('.agents .empty', 'No approved agents')
  await press('Enter')
  await seen('.agents .list td', agent)
  await page.locator('.agents button', { hasText: 'Revoke' }).first().click()
  await seen('.agents .empty', 'No approved agents')
})

test('a protection freezes at its limit, and is reset', { skip }, async () => {
  const { page } = browser
  await press('g')
  await page.locator('select[name=currency]').selectOption('BTC')
  await page.locator('input[name=frozen]').fill('0')
  await page.locator('input[name=quantity]').fill('0.1')
  await page.locator('button', { hasText: /^Set protection$/ }).click()
  await seen('.protection .list td', '0 of 0.1')
  await seen('.rung.bid .price', /\d/)
  await seen('.rung.ask .price', /\d/)
  const price = await page.evaluate<string>(`(() => {
    const [asks, bids] = ['ask', 'bid'].map((side) => [
      ...document.querySelectorAll('.rung.' + side + ' .price'),
    ].map(({ textContent }) => Number(textContent)))
    return String(Math.round((asks.at(-1) + bids[0]) / 2))
  })()`)
  await press('Escape', 's')
  await page.locator('input[name=price]').fill(price)
  await page.locator('.ticket-card label', { hasText: 'MMP' }).click()
  await press('Enter')
  await seen('.notices', 'Order accepted: Sell 0.1')
  const { account, wallet } = new WalletKey()
  await venue.set('/deposits', { wallet, amount: '100000' })
  const taker = await connectStrikebook({ url: venue.url, account })
  const symbol = await page.evaluate<string>(`document.querySelector('td.chosen').dataset.symbol`)
  // Lower asks of the market are bought as well.
  await taker.placeOrder({ symbol, side: 'Buy', size: '2', price, tif: 'ioc' })
  await seen('.protection .list td', 'frozen until reset')
  await page.locator('.protection button', { hasText: 'Reset' }).click()
  await seen('.protection .list td', 'active')
  await page.locator('.protection button', { hasText: /^Remove$/ }).click()
  await seen('.protection .empty', 'No market-maker protection is set')
  await press('Escape')
})

test('a reload restores everything', { skip }, async () => {
  const { page, complaints } = browser
  await press('Escape', '3')
  await page.reload()
  await seen('.account', 'demo wallet')
  await seen('.panel .list td', 'RFQ')
  await press('5')
  await seen('.panel .list td', 'Executed')
  assert.deepEqual(complaints, [])
})

test('a username or client id is shown as text', { skip }, async () => {
  const { page } = browser
  const privateKey = await page.evaluate<string>(`localStorage.getItem('strikebook.demo-key')`)
  const client = await connectStrikebook({ url: venue.url, privateKey })
  const [{ instrument_name: symbol = '' } = {}] = await client.optionsSummary('BTC')
  const clientId = '<img src=x onerror=document.title=1>'
  const order = { symbol, side: 'Buy', size: '0.1', price: '1', clientId } as const
  assert.notEqual((await client.placeOrder(order)).status, 'REJECTED')
  await press('1')
  await seen('.panel .list td', clientId)
  assert.equal(await page.locator('.panel img').count(), 0)
  assert.notEqual(await page.evaluate('document.title'), '1')
})

test('a phone shows profits, and cancels', { skip }, async () => {
  const { page } = browser
  await page.setViewportSize(phone)
  await page.locator('nav.parts button', { hasText: 'Account' }).click()
  const width = await page.evaluate('document.documentElement.scrollWidth')
  assert.ok(Number(width) <= phone.width, `the page is ${width} wide`)
  await page.locator('.panel-card [role=tab]', { hasText: 'Positions' }).click()
  const right = await page.evaluate<number>(
    `document.querySelector('.panel .list td:nth-child(3)').getBoundingClientRect().right`,
  )
  assert.ok(right <= phone.width, `profits reach ${right}`)
  await seen('.account .pnl', /\d/)
  await page.locator('.panel-card [role=tab]', { hasText: 'Orders' }).click()
  await page.locator('.panel button.cancel').click()
  await seen('.panel .empty', 'No open orders')
  await page.setViewportSize(desktop)
})

test('a desktop needs no scrollbar of the page, and notices do not cover ticket and book', {
  skip,
}, async () => {
  const { page } = browser
  for (const height of [780, desktop.height]) {
    await page.setViewportSize({ width: desktop.width, height })
    await eventually('the ladder fits', async () => {
      const [content, book] = await page.evaluate<readonly number[]>(`[
        document.documentElement.scrollHeight,
        document.querySelector('.book-card').scrollHeight - document.querySelector('.book-card').clientHeight,
      ]`)
      return content === height && book! <= 0
    })
    await press('x')
    await page.locator('.notices p').first().waitFor(patience)
    const [notices, side] = await page.evaluate<readonly [number, number]>(`[
      document.querySelector('.notices').getBoundingClientRect().right,
      document.querySelector('.side').getBoundingClientRect().left,
    ]`)
    assert.ok(notices <= side, `notices reach ${notices}, the ticket begins at ${side}`)
  }
})

test('a page with all options uses little processor time and leaks no memory', {
  skip,
}, async (context) => {
  const { page } = browser
  await page.locator('[role=tab]', { hasText: /^All$/ }).click()
  await drawn('td.mark', 416)
  await sleep(warmMillis)
  const before = await browser.cost()
  await sleep(lookMillis)
  const after = await browser.cost()
  const millis = (after.mainSeconds - before.mainSeconds) * 1000
  const millisPerSecond = millis / (lookMillis / 1000)
  const growth = after.heapBytes / before.heapBytes
  context.diagnostic(`${millisPerSecond.toFixed(0)} ms/s, heap ${growth.toFixed(3)}`)
  assert.ok(millisPerSecond > 0 && millisPerSecond <= 200, `${millisPerSecond} ms a second`)
  // A new page still fills its bounded lists. A leaking page grows without limit.
  assert.ok(growth <= 1.3, `the heap has grown by ${growth}`)
})

test('a page with all options draws every frame in time', {
  skip,
}, async (context) => {
  const millis = [...(await browser.frameMillis(frameLookMillis))].sort((one, other) => one - other)
  const [median, p99] = [0.5, 0.99].map((share) => millis[Math.floor(millis.length * share)]!)
  context.diagnostic(
    `${millis.length} frames, median ${median!.toFixed(1)}, p99 ${p99!.toFixed(1)} ms`,
  )
  assert.ok(millis.length > 50, `${millis.length} frames`)
  assert.ok(p99! <= frameMillisMax, `${p99} ms of a frame`)
})

test('while the streams are down, the page marks quotes as stale, and a cancel succeeds', {
  skip,
}, async () => {
  const other = await startBrowser(desktop)
  const { page } = other
  const shown = (selector: string, hasText: string | RegExp = '') =>
    page.locator(selector, { hasText }).first().waitFor(patience)
  try {
    await page.addInitScript(`window.sockets = []
      window.WebSocket = class extends WebSocket {
        constructor(url) {
          super(url)
          if (window.isDown) this.close()
          window.sockets.push(this)
        }
      }`)
    await openPage(other)
    await page.locator('button', { hasText: 'Connect demo wallet' }).click()
    await shown('.notices', 'The faucet credited')
    for (const key of ['j', 'b']) await page.keyboard.press(key)
    await page.locator('input[name=price]').fill('1.5')
    for (const key of ['Enter', 'Escape', '1']) await page.keyboard.press(key)
    await shown('.panel button.cancel')
    await page.evaluate('window.isDown = true; for (const each of window.sockets) each.close()')
    await shown('main.stale')
    await page.keyboard.press('x')
    await shown('.notices', /^Canceled$/)
    await page.evaluate('window.isDown = false')
    await shown('.panel .empty', 'No open orders')
    await shown('main:not(.stale)')
  } finally {
    await other.close()
  }
})
