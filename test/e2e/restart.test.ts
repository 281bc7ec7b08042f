import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { accepted, btcSymbol, deposit, listBtc } from './support/small-market.js'
import { startVenueProcess, type VenueProcess } from './support/venue.js'
import { ViemWallet } from './support/viem-wallet.js'

const symbol = btcSymbol(110_000, 'C')
let dataDir = ''
let venue: VenueProcess

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'strikebook-restart-'))
  venue = await startVenueProcess({ dataDir })
})

afterEach(async () => {
  await venue.stop('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function restart(signal: NodeJS.Signals): Promise<void> {
  await venue.stop(signal)
  venue = await startVenueProcess({ dataDir })
}

/** Everything that clients can see of two wallets and the market. */
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
    const { body } = await venue.request('GET', path)
    answers.push([path, withoutTimes(body)])
  }
  return answers
}

/** Marks and times move on by themselves; what was acknowledged does not. */
function withoutTimes(value: unknown): unknown {
  const moving =
    /^(as_of_seq|us(In|Out|Diff)|timestamp|updated_at|.*_timestamp_ms|change_id|greeks|.*mark.*|.*price|.*_iv|.*vol|.*pnl|equity|.*margin.*|.*balance|withdrawable.*|notional_value)$/
  return JSON.parse(
    JSON.stringify(value, (key, part) => (key !== '' && moving.test(key) ? undefined : part)),
  )
}

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`after ${signal} everything that was acknowledged is still there`, async () => {
    const [seller, buyer] = [new ViemWallet('seller'), new ViemWallet('buyer')]
    await listBtc(venue, [symbol])
    for (const { wallet } of [seller, buyer]) await deposit(venue, wallet, '100000')
    await accepted(venue, 'tiers', { wallet: seller.wallet, tier: 'market_maker' })
    await accepted(venue, 'deposits', { wallet: buyer.wallet, amount: '1', deposit_id: 'once' })
    const place = async (wallet: ViemWallet, order: Parameters<ViemWallet['place']>[0]) => {
      const body = await wallet.place(order)
      return { body, answer: (await venue.request('POST', '/order', body)).body }
    }
    const terms = { symbol, size: '1', clientId: 'kept' } as const
    const resting = await place(seller, { ...terms, side: 'Sell', size: '3', price: '3300' })
    await place(buyer, { symbol, side: 'Buy', size: '1', price: '3300' })
    await place(buyer, { ...terms, side: 'Buy', price: '3000' })
    await venue.request('POST', '/approve-agent', await buyer.approve(seller.address))
    const wallets = [seller.wallet, buyer.wallet]
    const before = await visibleState(wallets)
    await restart(signal)
    assert.deepEqual(await visibleState(wallets), before)
    const again = await venue.request('POST', '/order', resting.body)
    assert.equal(again.body.order_id, resting.answer.order_id, 'a repeat gives the first outcome')
    const repeat = { wallet: buyer.wallet, amount: '1', deposit_id: 'once' }
    assert.equal((await accepted(venue, 'deposits', repeat)).changed, false)
    const trade = await place(buyer, { symbol, side: 'Buy', size: '2', price: '3300' })
    assert.deepEqual([trade.answer.status, trade.answer.filled_size], ['FILLED', 2])
  })
}

test('the sequence goes on where it ended, and the state hash comes back', async () => {
  await listBtc(venue, [symbol])
  await venue.stop('SIGTERM')
  venue = await startVenueProcess({ dataDir })
  const first = (await venue.operator('GET', 'state')).body
  await restart('SIGTERM')
  const second = (await venue.operator('GET', 'state')).body
  assert.ok(first.seq > 0)
  assert.ok(second.seq >= first.seq)
  if (second.batch_number === first.batch_number) assert.equal(second.state_hash, first.state_hash)
})

test('SIGTERM ends with exit code 0 and tells open sockets to come back', async () => {
  const answer = await venue.request('GET', '/health')
  assert.equal(answer.body.status, 'ok')
  assert.equal(await venue.stop('SIGTERM'), 0)
})

test('a second process is kept off the data directory', async () => {
  await assert.rejects(
    startVenueProcess({ dataDir }),
    /ended with code 1 .*[\s\S]*in use by process/,
  )
})

test('a wrong configuration ends with exit code 2 and names every mistake', async () => {
  const flags = { dataDir, arguments: ['--port=x', '--idle=x'] }
  await assert.rejects(startVenueProcess(flags), /code 2 [\s\S]*port: [\s\S]*idle: /)
})

test('in development the operator token is a file for its owner only', async () => {
  await venue.stop()
  writeFileSync(join(dataDir, 'operator.token'), 'short\n', { mode: 0o644 })
  venue = await startVenueProcess({ dataDir, arguments: ['--operator-token='] })
  const { mode } = statSync(join(dataDir, 'operator.token'))
  assert.equal(mode & 0o777, 0o600)
  assert.equal((await venue.operator('GET', 'state')).status, 401, 'another token now')
})
