import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newBrowser } from '../support/browser.js'
import { longTest } from '../support/long-test.js'
import { decrypted, PushReceiver, type PushRequest, vapidClaims } from '../support/push-receiver.js'
import { expiringOptions } from './support/expiring-options.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { agentBody, type Body, pushBody, symbolOf, WalletKey } from './support/signed-body.js'
import {
  type Answer,
  assertError,
  eventually,
  untilPast,
  Venue,
  type Wire,
} from './support/venue.js'

// Notifications as a browser and a push service see them, from a venue that may call addresses of its own network.

const timeoutMillis = 30_000
const quick = ['retryMillis=20', 'attemptsMax=3', 'allowPrivate=true', 'queueMax=20']
quick.push(`timeoutMillis=${timeoutMillis}`)
const venue = new Venue({ arguments: quick.map((value) => `--set=push.${value}`) })
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place } = orderActions(venue, symbol)
const hold = expiringOptions(venue)
const receiver = new PushReceiver()
let count = 0

before(async () => {
  await receiver.start()
  await venue.start()
  await listMarket(venue, [symbol])
})
beforeEach(() => {
  receiver.reply = () => 201
})
after(async () => {
  await venue.dispose()
  await receiver.stop()
})

type Browser = ReturnType<typeof newBrowser> & { readonly path: string }

function browserAt(of = receiver): Browser {
  const path = `/send/${++count}`
  return { ...newBrowser(of.endpoint(path)), path }
}

const push = (name: string, body: Body): Promise<Answer> =>
  venue.send('POST', `/push/${name}`, body)
const subscribed = async (by: WalletKey, { subscription }: Browser, signer = by) =>
  push('subscribe', await pushBody(by, 'subscribe', { subscription }, signer))

async function subscribe(by: WalletKey, browser = browserAt()): Promise<Browser> {
  const answer = await subscribed(by, browser)
  assert.equal(answer.status, 200, answer.text)
  return browser
}

const setIndex = (price: string) =>
  venue.set('/index-prices', { prices: [{ underlying: 'BTC', price }] })
const stateOf = (state: string, previous: string) => ({
  ...{ state, previous_state: previous, liquidation_mode: null },
})

/** Trades for the wallet, against a wallet without notifications. */
async function trade(by: WalletKey, size = '0.01'): Promise<void> {
  const other = await fundedWallet()
  await place(other, { side: 'Sell', price: '2000', size })
  assert.equal((await place(by, { side: 'Buy', price: '2000', size })).status, 'FILLED')
}

async function arrived({ path }: Browser, least = 1): Promise<readonly PushRequest[]> {
  await eventually('the notification has come', () => receiver.of(path).length >= least)
  return receiver.of(path)
}

const read = (request: PushRequest, browser: Browser): Wire =>
  JSON.parse(decrypted(request.body, browser))

test('the venue publishes the public key and keeps the private one readable by the folder’s owner only', async () => {
  const { push_public_key: key } = await venue.read('/exchange-info')
  const path = join(venue.dataDir, 'push-vapid.json')
  const kept = JSON.parse(readFileSync(path, 'utf8'))
  assert.equal(key, kept.publicKey)
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('a subscribed browser receives a fill, encrypted for it and signed by the venue', async () => {
  const by = await fundedWallet()
  const browser = browserAt()
  const { body } = await subscribed(by, browser)
  assert.deepEqual(body.data, {
    wallet: by.wallet,
    endpoint: browser.subscription.endpoint,
    preferences: { fills: true, liquidations: true, settlements: true },
  })
  assert.deepEqual([body.success, body.error], [true, null])
  await trade(by, '0.25')
  const [request] = await arrived(browser)
  const notice = read(request!, browser)
  assert.equal(notice.type, 'fill')
  assert.deepEqual([notice.title, notice.body], ['Bought', `0.25 ${symbol} at 2000`])
  const { symbol: of, side, price, size } = notice.data
  assert.deepEqual([of, side, price, size], [symbol, 'Buy', '2000', '0.25'])
  const { key, aud } = vapidClaims(request!)
  assert.equal(key, (await venue.read('/exchange-info')).push_public_key)
  assert.equal(aud, `http://127.0.0.1:${receiver.port}`)
  assert.equal(receiver.of(browser.path).length, 1)
})

test('a wallet receives only the topics that it wants, and can turn each on again', async () => {
  const by = await fundedWallet()
  const browser = await subscribe(by)
  const set = async (terms: Body) =>
    (await push('preferences', await pushBody(by, 'preferences', terms))).body
  const off = { fills: false, liquidations: true, settlements: true }
  assert.deepEqual((await set({ fills: false })).data, { wallet: by.wallet, preferences: off })
  await trade(by)
  const all = await set({ fills: true, settlements: false })
  assert.deepEqual(all.data.preferences, { fills: true, liquidations: true, settlements: false })
  await trade(by, '0.03')
  const [first, ...others] = await arrived(browser)
  assert.equal(read(first!, browser).data.size, '0.03')
  assert.equal(others.length, 0)
  for (const wrong of [{}, { fills: null }]) {
    const answer = await push('preferences', await pushBody(by, 'preferences', wrong))
    assertError(answer, 400, 'missing_field')
  }
  const mistyped = await push('preferences', await pushBody(by, 'preferences', { fills: 'no' }))
  assertError(mistyped, 400, 'invalid_parameter')
})

test('a wallet receives notice of its liquidation and of its recovery', async () => {
  const [by, maker] = [await fundedWallet('15000'), await fundedWallet()]
  await place(maker, { side: 'Buy', size: '1', price: '3270' })
  assert.equal((await place(by, { side: 'Sell', size: '1', price: '3270' })).status, 'FILLED')
  const browser = await subscribe(by)
  await setIndex('108500')
  const [under] = await arrived(browser)
  await venue.set('/deposits', { wallet: by.wallet, amount: '100000' })
  const [, sound] = await arrived(browser, 2)
  await setIndex('100000')
  const notices = [read(under!, browser), read(sound!, browser)]
  assert.deepEqual(
    notices.map(({ type, title, body, data }) => [type, title, body, data]),
    [
      ['liquidation', 'Liquidation', 'pre liquidation', stateOf('pre_liquidation', 'healthy')],
      ['liquidation', 'Liquidation', 'healthy', stateOf('healthy', 'pre_liquidation')],
    ],
  )
  // The push service may display it earlier than others.
  assert.equal(under!.headers['urgency'], 'high')
})

test('both sides receive notice of a settlement', async () => {
  const { symbol, underlying, expiry, buyer, seller } = await hold({
    ...{ underlying: 'PUSH', size: '2', observed: [[5, '100000']] },
  })
  const [long, short] = [await subscribe(buyer), await subscribe(seller)]
  await untilPast(expiry)
  await eventually('the option has expired', async () => {
    const body = { underlying, expiry, price: '105000' }
    return (await venue.operator('POST', '/settlement-prices', body)).status === 200
  })
  const payoff = 105_000 - 100_000
  for (const [browser, position_size, settlement_value] of [
    [long, '2', String(2 * payoff)],
    [short, '-2', String(-2 * payoff)],
  ] as const) {
    const [request] = await arrived(browser)
    const { type, title, body, data } = read(request!, browser)
    assert.deepEqual([type, title], ['settlement', 'Settled'])
    assert.equal(body, `${position_size} ${symbol} for ${settlement_value} USD`)
    assert.deepEqual(
      { ...data, payout_id: 0 },
      { symbol, position_size, settlement_value, payout_id: 0 },
    )
  }
})

test('a subscription that the push service reports gone, by 404 or 410, is removed durably', async () => {
  for (const status of [404, 410]) {
    const by = await fundedWallet()
    const [gone, stays] = [await subscribe(by), await subscribe(by)]
    receiver.reply = ({ path }) => (path === gone.path ? status : 201)
    await trade(by)
    await arrived(gone)
    await arrived(stays)
    const { endpoint } = gone.subscription
    await eventually('the engine knows it no more', async () => {
      const body = await pushBody(by, 'unsubscribe', { endpoint })
      return (await push('unsubscribe', body)).body.data.removed === 0
    })
    await trade(by)
    await arrived(stays, 2)
    assert.equal(receiver.of(gone.path).length, 1, String(status))
  }
})

test('the venue retries a notification that the push service cannot take now, but not forever', async () => {
  const by = await fundedWallet()
  const [busy, broken] = [await subscribe(by), await subscribe(by)]
  let isBusy = true
  receiver.reply = ({ path }) => {
    if (path === broken.path) return 500
    if (!isBusy) return 201
    isBusy = false
    return { status: 429, headers: { 'Retry-After': '1' } }
  }
  await trade(by)
  const [first, second] = await arrived(busy, 2)
  assert.ok(second!.millis - first!.millis >= 990, 'it was left alone for so long')
  assert.equal(read(second!, busy).type, 'fill')
  await arrived(broken, 3)
  await sleep(300)
  assert.equal(receiver.of(broken.path).length, 3)
})

test('the eleventh subscription replaces the oldest, and a renewed one becomes the newest', async () => {
  const by = await fundedWallet()
  const browsers: Browser[] = []
  for (let i = 0; i < 10; i++) browsers.push(await subscribe(by))
  const [first, second] = browsers
  await subscribe(by, first!)
  browsers.push(await subscribe(by))
  await trade(by)
  for (const browser of browsers) if (browser !== second) await arrived(browser)
  assert.equal(receiver.of(second!.path).length, 0)
  assert.equal(receiver.of(first!.path).length, 1)
})

test('push services that hang, fail or are gone delay neither trading nor other services, with a full queue', async () => {
  const receivers = [new PushReceiver(), new PushReceiver(), new PushReceiver()]
  for (const each of receivers) await each.start()
  const [other, hanging, failing] = receivers as [PushReceiver, ...PushReceiver[]]
  hanging!.reply = () => null
  failing!.reply = () => 503
  // A free port of this system may become another test's. Nothing listens on the first port.
  const unreachable = Array.from({ length: 10 }, () => {
    return { ...newBrowser(`http://127.0.0.1:1/send/${++count}`), path: '' }
  })
  try {
    const elsewhere = await fundedWallet()
    const well = await subscribe(elsewhere, browserAt(other))
    const ten = (of: PushReceiver) => Array.from({ length: 10 }, () => browserAt(of))
    for (const browsers of [ten(hanging!), ten(failing!), unreachable]) {
      const by = await fundedWallet()
      for (const browser of browsers) await subscribe(by, browser)
      const tookMillis: number[] = []
      for (let i = 0; i < 5; i++) {
        const beginMillis = performance.now()
        await trade(by)
        tookMillis.push(performance.now() - beginMillis)
      }
      const medianMillis = tookMillis.sort((one, another) => one - another)[2]!
      assert.ok(medianMillis < timeoutMillis / 2, `${tookMillis.map(Math.round)} ms`)
    }
    assert.match(await venue.metrics(), /strikebook_push_dropped_total\{thread="push"\} [1-9]/)
    await trade(elsewhere)
    await eventually('the other has it', () => other.of(well.path).length === 1)
  } finally {
    for (const each of [other, hanging!, failing!]) await each.stop()
  }
  // Leftover notifications would take the room of the next test's. The metric omits zero counts.
  await eventually('nothing waits', async () => !(await venue.metrics()).includes('push_waiting{'))
})

longTest('a subscription survives a crash, and earlier trades are not news', async () => {
  const by = await fundedWallet()
  receiver.reply = () => null
  const browser = await subscribe(by)
  await trade(by, '0.05')
  await venue.end('SIGKILL')
  const before = receiver.of(browser.path).length
  receiver.reply = () => 201
  await venue.start()
  await trade(by, '0.07')
  await arrived(browser, before + 1)
  await sleep(300)
  const requests = receiver.of(browser.path).slice(before)
  assert.deepEqual(
    requests.map((request) => read(request, browser).data.size),
    ['0.07'],
  )
})

test('an agent may subscribe, a stranger may not, and a retry gets the first answer', async () => {
  const [by, agent, stranger] = [await fundedWallet(), new WalletKey(), await fundedWallet()]
  const approval = await agentBody(by, 'ApproveAgent', { agent: agent.wallet })
  assert.equal((await venue.send('POST', '/approve-agent', approval)).status, 200)
  assertError(await subscribed(by, browserAt(), stranger), 401, 'unauthorized')
  assertError(await subscribed(new WalletKey(), browserAt()), 403, 'no_account')
  const { subscription } = browserAt()
  const body = await pushBody(by, 'subscribe', { subscription }, agent)
  const first = await push('subscribe', body)
  assert.equal(first.status, 200)
  assert.equal((await push('subscribe', body)).text, first.text)
  // A signature for subscribe is not valid for anything else.
  const turned = { wallet: by.wallet, endpoint: subscription.endpoint, nonce: body['nonce'] }
  const other = await push('unsubscribe', { ...turned, signature: body['signature'] })
  assert.notEqual(other.status, 200)
  const end = await pushBody(by, 'unsubscribe', { endpoint: subscription.endpoint })
  assert.equal((await push('unsubscribe', end)).body.data.removed, 1)
  assert.equal((await push('unsubscribe', end)).body.data.removed, 1)
  const again = await pushBody(by, 'unsubscribe', { endpoint: subscription.endpoint })
  assert.equal((await push('unsubscribe', again)).body.data.removed, 0)
})

test('the venue refuses endpoints that no browser uses, and invalid keys', async () => {
  const by = await fundedWallet()
  const { subscription } = browserAt()
  const wrong: readonly Body[] = [
    { endpoint: 'https://evil.example/1' },
    { endpoint: 'ftp://127.0.0.1/1' },
    { endpoint: 'nonsense' },
    { endpoint: `http://127.0.0.1/${'x'.repeat(2048)}` },
    { keys: { ...subscription.keys, auth: 'AAAA' } },
    { keys: { ...subscription.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
  ]
  for (const patch of wrong) {
    const body = await pushBody(by, 'subscribe', { subscription: { ...subscription, ...patch } })
    assertError(await push('subscribe', body), 400, 'invalid_field')
  }
  const { endpoint, keys } = subscription
  for (const [value, code, message] of [
    [5, 'invalid_parameter', /^Invalid subscription: /],
    [{ endpoint, keys: 'x' }, 'invalid_parameter', /^Invalid subscription\.keys: /],
    [{ endpoint, keys: { ...keys, auth: 5 } }, 'invalid_parameter', /subscription\.keys\.auth/],
    [{ endpoint, keys, expirationTime: '1' }, 'invalid_parameter', /subscription\.expirationTime/],
    [undefined, 'missing_field', /^Missing field: subscription$/],
    [{}, 'missing_field', /^Missing field: subscription\.endpoint$/],
    [{ endpoint }, 'missing_field', /^Missing field: subscription\.keys$/],
    [{ endpoint, keys: { auth: 5 } }, 'missing_field', /: subscription\.keys\.p256dh$/],
  ] as const) {
    const answer = await push('subscribe', await pushBody(by, 'subscribe', { subscription: value }))
    assertError(answer, 400, code)
    assert.match(answer.body.message, message)
  }
})

test('no log, read or metric contains secrets of browsers', async () => {
  const by = await fundedWallet()
  const { subscription } = await subscribe(by)
  await trade(by)
  const metrics = await venue.metrics()
  assert.match(metrics, /strikebook_push_delivered_total\{thread="push"\} [1-9]/)
  const state = JSON.stringify(await venue.operatorState())
  const logs = readdirSync(venue.dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.log'))
    .map(({ name }) => readFileSync(join(venue.dataDir, name), 'utf8'))
  for (const secret of [subscription.keys.auth, subscription.keys.p256dh, subscription.endpoint]) {
    for (const text of [metrics, state, ...logs]) assert.equal(text.includes(secret), false)
  }
})

test('a private push service may have its own certificate', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'push-tls-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = ['-keyout', keyFile, '-out', certFile]
  const terms = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
  ]
  execFileSync('openssl', ['req', '-x509', ...terms, '-subj', '/CN=localhost', ...made], {
    stdio: 'ignore',
  })
  const pem = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') }
  const secure = await new PushReceiver(pem).start()
  try {
    const by = await fundedWallet()
    const browser = await subscribe(by, browserAt(secure))
    await trade(by)
    await eventually('it has come', () => secure.of(browser.path).length === 1)
    assert.equal(read(secure.of(browser.path)[0]!, browser).type, 'fill')
  } finally {
    await secure.stop()
    rmSync(folder, { recursive: true })
  }
})

// The last test: it ends the venue.
test("a push service that hangs does not delay the venue's graceful end", async () => {
  receiver.reply = () => null
  const by = await fundedWallet()
  const browser = await subscribe(by)
  await trade(by)
  await arrived(browser)
  const beginMillis = performance.now()
  await venue.end('SIGTERM')
  const tookMillis = performance.now() - beginMillis
  assert.ok(tookMillis < timeoutMillis / 2, `${tookMillis} ms`)
  assert.match(venue.log(), /"msg":"stopped"/)
})
