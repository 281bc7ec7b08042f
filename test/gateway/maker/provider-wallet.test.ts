import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { generatePrivateKey } from 'viem/accounts'
import {
  connectStrikebook,
  type StrikebookClient,
} from '../../../gateway/client/strikebook-client.js'
import { ProviderWallet } from '../../../gateway/maker/provider-wallet.js'
import type { RfqLegTerms } from '../../../schemas/wire-types.js'
import { listMarket } from '../../e2e/support/listed-market.js'
import { symbolOf } from '../../e2e/support/signed-body.js'
import { eventually, Venue } from '../../e2e/support/venue.js'
import { longTest } from '../../support/long-test.js'

// One provider in a market without a feed; each test continues the previous one.

const venue = new Venue()
const [lower, upper] = [symbolOf('BTC', 110_000), symbolOf('BTC', 120_000)]
const privateKey = generatePrivateKey()
const failures: unknown[] = []
let again: Venue | null = null
let taker: StrikebookClient
let provider: ProviderWallet

before(async () => {
  await venue.start()
  await listMarket(venue, [lower, upper])
  taker = await fundedClient(generatePrivateKey())
  provider = await newProvider()
})
after(async () => {
  provider.close()
  await again?.dispose()
  await venue.dispose()
})

async function fundedClient(key: `0x${string}`): Promise<StrikebookClient> {
  const client = await connectStrikebook({ url: venue.url, privateKey: key })
  await venue.set('/deposits', { wallet: client.wallet, amount: '10000000' })
  return client
}

async function newProvider(): Promise<ProviderWallet> {
  return new ProviderWallet(await fundedClient(privateKey), (failure) => failures.push(failure))
}

function spread(size: string, sold = upper): readonly RfqLegTerms[] {
  return [
    { instrument: lower, side: 'Buy', size },
    { instrument: sold, side: 'Sell', size },
  ]
}

/** Submits a request for a combo. @returns its final status. */
async function asked(legs: readonly RfqLegTerms[], autoAcceptLimit?: string): Promise<string> {
  const rfqId = randomUUID()
  const terms = autoAcceptLimit === undefined ? {} : { autoAcceptLimit }
  await taker.submitRfq({ rfqId, legs, ...terms })
  let status = ''
  await eventually('an answer', async () => {
    ;({ status } = await taker.rfq(rfqId))
    return !['created', 'sent_to_qps', 'accepted'].includes(status)
  })
  return status
}

async function shown(symbol: string) {
  const rows = await taker.optionsSummary('BTC')
  return rows.find((row) => row.instrument_name === symbol)!
}

test('a wallet that is not a provider fails, and does not retry at once', async () => {
  await provider.refresh()
  assert.deepEqual([provider.isConnected, provider.isRefused], [false, true])
  await provider.refresh()
  assert.deepEqual(failures.splice(0).map(String), ['ApiError: unknown quote provider'])
})

test('a provider quotes around the mark, and fills a combo within a limit', async () => {
  const { wallet } = await connectStrikebook({ url: venue.url, privateKey })
  await venue.set('/quote-providers', { wallet, status: 'active' })
  provider = await newProvider()
  await provider.refresh()
  assert.equal(provider.isConnected, true)
  await eventually(
    'its quotes',
    async () => (await shown(upper)).indicative_bid_price !== undefined,
  )
  const row = await shown(lower)
  assert.ok(
    row.indicative_bid_price! < row.mark_price && row.mark_price < row.indicative_ask_price!,
  )
  assert.equal(row.indicative_ask_size, 5)
  assert.equal(await asked(spread('1'), '10000'), 'executed')
})

test('a plain request is quoted at the displayed prices', async () => {
  assert.equal(await asked(spread('2')), 'quotes_received')
  const [rfq] = await taker.rfqs({ limit: 1 })
  const [bought, sold] = [await shown(lower), await shown(upper)]
  const premium = 2 * (sold.indicative_bid_price! - bought.indicative_ask_price!)
  assert.equal(Number(rfq!.quotes[0]!.net_premium), Number(premium.toFixed(6)))
})

test('a combo that is too large is declined', async () => {
  assert.equal(await asked(spread('5.1')), 'no_quotes')
})

test('an option that was just listed is quoted, and one without a mark is declined', async () => {
  const listed = symbolOf('BTC', 115_000)
  const unmarked = symbolOf('ETH', 5000)
  for (const symbol of [listed, unmarked]) await venue.set('/instruments', { symbol })
  await eventually('its mark', async () => (await shown(listed))?.mark_price > 0)
  await eventually(
    'its quote',
    async () => (await asked(spread('1', listed))) === 'quotes_received',
  )
  assert.equal(await asked([{ instrument: unmarked, side: 'Buy', size: '1' }]), 'no_quotes')
  assert.deepEqual(failures, [])
})

longTest('a provider reconnects to its venue', async () => {
  await venue.end('SIGTERM')
  await eventually('the end of its session', () => !provider.isConnected)
  await provider.refresh()
  assert.deepEqual([provider.isConnected, provider.isRefused], [false, false])
  assert.equal(failures.splice(0).length, 1)
  again = new Venue({ dataDir: venue.dataDir, arguments: [`--port=${venue.port}`] })
  await again.start()
  await provider.refresh()
  assert.equal(provider.isConnected, true)
  assert.equal(await asked(spread('1'), '10000'), 'executed')
  assert.deepEqual(failures, [])
})
