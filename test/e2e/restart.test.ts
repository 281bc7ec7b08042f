import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { auditFile } from '../../gateway/operator/audit-files.js'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { agentBody, placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { eventually, Venue } from './support/venue.js'

const symbol = symbolOf('BTC', 110_000)
/** Shared by all tests; each leaves it running. */
const venue = new Venue()
const tokenFile = join(venue.dataDir, 'operator.token')

before(() => venue.start())
after(() => venue.dispose())
const open = streamPeers(venue)

async function restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await venue.end(signal)
  await venue.start()
}

/** Returns everything that clients can see of two wallets and the market. */
async function visibleState(wallets: readonly string[]) {
  const paths = wallets.flatMap((wallet) => [
    `/portfolio?wallet=${wallet}`,
    `/orders?wallet=${wallet}`,
    `/fills?wallet=${wallet}`,
    `/user-tier?wallet=${wallet}`,
    `/authorized-agents?wallet=${wallet}`,
  ])
  const others = [`/orderbook?instrument_id=${symbol}`, '/trades', '/markets']
  const answers = []
  for (const path of [...paths, ...others]) {
    answers.push([path, withoutTimes(await venue.read(path))])
  }
  return answers
}

/** Removes marks and times, which change by themselves; acknowledged data does not. */
function withoutTimes(value: unknown): unknown {
  const moving =
    /^(as_of_seq|us(In|Out|Diff)|timestamp|updated_at|.*_timestamp_ms|change_id|greeks|.*mark.*|.*price|.*_iv|.*vol|.*pnl|equity|.*margin.*|.*balance|withdrawable.*|notional_value)$/
  return JSON.parse(
    JSON.stringify(value, (key, part) => (key !== '' && moving.test(key) ? undefined : part)),
  )
}

// A graceful end keeps at least what a kill keeps. Other tests of every run include ends by SIGTERM.
const runs = [
  ['SIGKILL', test],
  ['SIGTERM', longTest],
] as const

for (const [signal, run] of runs) {
  run(`after ${signal} the venue still has everything acknowledged`, async () => {
    const { fundedWallet, place } = orderActions(venue, symbol)
    await listMarket(venue, [symbol])
    const [seller, buyer] = [await fundedWallet(), await fundedWallet()]
    await venue.set('/tiers', { wallet: seller.wallet, tier: 'market_maker' })
    const once = { wallet: buyer.wallet, amount: '1', deposit_id: signal }
    await venue.set('/deposits', once)
    const terms = { symbol, side: 'Sell', size: '3', price: '3300', client_id: 'kept' }
    const body = await placeBody(seller, terms)
    const resting = await venue.send('POST', '/order', body)
    await place(buyer, { price: '3300' })
    await place(buyer, { price: '3000', client_id: 'kept' })
    const approval = await agentBody(buyer, 'ApproveAgent', { agent: seller.wallet })
    await venue.send('POST', '/approve-agent', approval)
    const wallets = [seller.wallet, buyer.wallet]
    const before = await visibleState(wallets)
    const listening = await open(`?wallet=${buyer.wallet}`)
    const { as_of_seq: seq } = await listening.subscribe('fills', { as_of_seq: true })
    const first = await venue.operatorState()
    await restart(signal)
    const second = await venue.operatorState()
    assert.ok(first.seq > 0 && second.seq >= first.seq, 'the sequence continues where it ended')
    if (second.batch_number === first.batch_number)
      assert.equal(second.state_hash, first.state_hash)
    assert.deepEqual(await visibleState(wallets), before)
    const resuming = await open(`?wallet=${buyer.wallet}`)
    await resuming.subscribe('fills', { from_seq: seq - 1 })
    const { code } = await resuming.next('Error')
    assert.equal(
      code,
      'resume_unavailable',
      'the venue cannot resend messages from before the start',
    )
    const again = await venue.send('POST', '/order', body)
    assert.equal(again.body.order_id, resting.body.order_id, 'a retry gets the first result')
    assert.equal((await venue.set('/deposits', once)).changed, false)
    // Measured times are gone with the process.
    const { data } = await venue.read(`/orders/why?order_id=${resting.body.order_id}`)
    assert.deepEqual([data.source, data.order_id], ['store', resting.body.order_id])
    assert.deepEqual([data.stages.total_micros, data.stages.match_micros], [null, null])
    const trade = await place(buyer, { size: '2', price: '3300' })
    assert.deepEqual([trade.status, trade.filled_size], ['FILLED', 2])
  })
}

longTest(
  "the start fails if the journal's end is missing; with the loss accepted, numbers are skipped and trading stays halted",
  async () => {
    const { fundedWallet, place } = orderActions(venue, symbol)
    await listMarket(venue, [symbol])
    const [seller, buyer] = [await fundedWallet(), await fundedWallet()]
    const [agent, stranger] = [new WalletKey(), new WalletKey()]
    const approve = async (by: WalletKey, other: WalletKey) =>
      agentBody(by, 'ApproveAgent', { agent: other.wallet })
    await venue.send('POST', '/approve-agent', await approve(seller, agent))
    const trades = (await venue.read('/trades')).data
    await venue.end('SIGTERM')
    const journal = join(venue.dataDir, 'journal')
    const segment = readdirSync(journal)
      .filter((name) => name.endsWith('.journal'))
      .at(-1)!
    const before = readFileSync(join(journal, segment))
    await venue.start()
    const terms = { symbol, side: 'Sell', price: '3300' }
    const signed = [await placeBody(seller, terms), await placeBody(seller, terms, agent)]
    const [{ body: lost }] = await Promise.all(
      signed.map((body) => venue.send('POST', '/order', body)),
    )
    const approval = await approve(buyer, stranger)
    assert.equal((await venue.send('POST', '/approve-agent', approval)).status, 200)
    const trade = await place(buyer, { price: '3300' })
    assert.equal(trade.status, 'FILLED')
    const { seq } = await venue.operatorState()
    await eventually(
      'the history has the trade',
      async () => (await venue.read('/trades')).data.length > trades.length,
    )
    await venue.end('SIGKILL')
    for (const name of readdirSync(journal)) {
      if (name.endsWith('.journal') && name > segment) rmSync(join(journal, name))
    }
    writeFileSync(join(journal, segment), before)
    await assert.rejects(venue.start(), /ended with code 3 [\s\S]*history store has seen sequence/)
    const accepting = new Venue({ dataDir: venue.dataDir, arguments: ['--accept-loss'] })
    await accepting.start()
    const state = await accepting.operatorState()
    assert.ok(state.seq > seq, `${state.seq} is not above ${seq}`)
    assert.deepEqual((await accepting.read('/trades')).data, trades)
    const again = orderActions(accepting, symbol)
    const refused = await again.place(seller, { side: 'Sell', price: '3300' })
    assert.deepEqual([refused.status, refused.reason_code], ['REJECTED', 'trading_halted'])
    await accepting.set('/halts', { underlying: 'BTC', mode: 'open' })
    const order = await again.place(seller, { side: 'Sell', price: '3300' })
    assert.equal(order.status, 'ACKED')
    assert.ok(order.order_id > lost.order_id && order.order_id > trade.order_id)
    for (const body of signed) {
      const { reason_code } = (await accepting.send('POST', '/order', body)).body
      assert.equal(
        reason_code,
        'nonce_used',
        'an action that ran in the lost part does not run again',
      )
    }
    const approved = await accepting.send('POST', '/approve-agent', approval)
    assert.match(approved.body.message, /nonce/i)
    assert.equal(approved.status, 409, approved.text)
    await accepting.end('SIGTERM')
    await venue.start()
    assert.deepEqual((await venue.read(`/orders?wallet=${seller.wallet}`)).data.length, 1)
    const { body } = await venue.send('POST', '/order', signed[0])
    assert.equal(body.reason_code, 'nonce_used', 'the replay knows the used nonce too')
  },
)

test("the start refuses another preset's, service's or chain's data by name, quarantines a broken history store and rebuilds it, and reports an audit log ahead of the journal", async () => {
  const { fundedWallet, place } = orderActions(venue, symbol)
  await listMarket(venue, [symbol])
  const seller = await fundedWallet()
  await place(seller, { side: 'Sell', price: '3300' })
  await venue.end('SIGTERM')
  const other = new Venue({ dataDir: venue.dataDir, arguments: ['--chain-id=5'] })
  await assert.rejects(
    other.start(),
    /belongs to preset development, service Strikebook, chain 31337; this is .* chain 5/,
  )
  const path = join(venue.dataDir, 'history.db')
  writeFileSync(path, Buffer.alloc(8192, 7))
  rmSync(`${path}-wal`, { force: true })
  writeFileSync(tokenFile, 'short\n', { mode: 0o644 })
  const audited = { id: 1_000_000, of: 1_000_000, outcome: 'done', seq: 9_000_000, from: 0 }
  appendFileSync(join(venue.dataDir, auditFile), `${JSON.stringify(audited)}\n`)
  assert.ok(
    !venue.log().includes('alarm: audit log'),
    'no alarm while the journal reaches the audit log',
  )
  await venue.start()
  assert.match(
    venue.log(),
    /alarm: audit log: it has an action with sequence 9000000, but the journal ends with \d+/,
  )
  await eventually('the order is published again', async () => {
    const { status, body } = await venue.get(`/orders?wallet=${seller.wallet}`)
    return status === 200 && body.data.length === 1
  })
  assert.ok(readdirSync(venue.dataDir).some((name) => name.startsWith('history.db.aside-')))
})

test('only its owner can read the history store', () => {
  const files = readdirSync(venue.dataDir).filter((name) => name.startsWith('history.db'))
  assert.ok(files.length >= 2, files.join())
  for (const name of files)
    assert.equal(statSync(join(venue.dataDir, name)).mode & 0o777, 0o600, name)
})

test('the data directory admits no second process', async () => {
  const second = new Venue({ dataDir: venue.dataDir })
  await assert.rejects(second.start(), /ended with code 1 [\s\S]*in use by process/)
  assert.deepEqual(await venue.read('/health'), { status: 'ok' })
})

test('a wrong configuration exits with code 2 and names every mistake', async () => {
  const wrong = new Venue({ arguments: ['--port=x', '--idle=x'] })
  await assert.rejects(wrong.start(), /code 2 [\s\S]*port: [\s\S]*idle: /)
  await wrong.dispose()
})

// The previous start found a token that was too short, and that others could read.
test('in development the operator token is a file that only its owner can read', async () => {
  assert.equal(statSync(tokenFile).mode & 0o777, 0o600)
  const answer = await venue.operator('GET', '/state', undefined, 'short')
  assert.equal(answer.status, 401, 'the start has replaced the token')
  assert.equal(venue.token, readFileSync(tokenFile, 'utf8').trim())
  assert.equal((await venue.operator('GET', '/state')).status, 200)
})
