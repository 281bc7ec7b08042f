import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import * as strikebook from '../../gateway/client/index.js'
import type { StrikebookClient } from '../../gateway/client/strikebook-client.js'
import {
  clientExamples,
  compileExamples,
  consumerFolder,
  type DocExample,
  programOf,
  type RunExample,
} from '../support/client-examples.js'
import { listMarket } from './support/listed-market.js'
import { sharedVenue } from './support/shared-venue.js'
import { symbolOf } from './support/signed-body.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 100_000)
const otherSymbol = symbolOf('BTC', 105_000)
const perpSymbol = 'DOCS-PERP'
/** Needs a wallet in a liquidation auction, which no short test can produce. */
const compiledOnly = ['bidTerms']

/** Types of the names that examples use, as their program declares them. */
const given = {
  url: 'string',
  privateKey: 'Parameters<typeof privateKeyToAccount>[0]',
  client: 'strikebook.StrikebookClient',
  owner: 'strikebook.StrikebookClient',
  providerClient: 'strikebook.StrikebookClient',
  stream: 'strikebook.StreamClient',
  orderFeed: 'strikebook.OrderFeed',
  fillFeed: 'strikebook.FillFeed',
  localBook: 'strikebook.LocalBook',
  provider: 'strikebook.QuoteProviderClient',
  request: 'strikebook.RfqRequest',
  perpContext: 'strikebook.PerpSigningContext',
  symbol: 'string',
  otherSymbol: 'string',
  agent: 'string',
  otherWallet: 'string',
  terms: "{ symbol: string; side: 'Buy'; size: string; price: string }",
  legs: "readonly { instrument: string; side: 'Buy'; size: string }[]",
  orderId: 'number',
  otherId: 'number',
  asset: 'number',
  perpOrderId: 'number',
  nonce: 'number',
  digest: 'string',
  rfqId: 'string',
  quoteId: 'string',
  netPremium: 'string',
  directiveId: 'string',
  code: 'string',
  subscription: '{ endpoint: string; keys: { p256dh: string; auth: string } }',
}

const examples = clientExamples()
let runs: readonly RunExample[] = []
let folder = ''
let asset = 0
let provider: Awaited<ReturnType<typeof openProvider>>

before(async () => {
  const names = Object.keys(strikebook).filter((name) => name !== 'default')
  const program = programOf(examples, names, given)
  const settings = { types: ['node'] }
  folder = consumerFolder({ 'examples.ts': program }, settings)
  runs = await compileExamples(folder, examples)
  await listMarket(venue, [symbol, otherSymbol])
  await venue.set('/instruments', { symbol: perpSymbol })
  await venue.set('/index-prices', { prices: [{ underlying: 'DOCS', price: '100000' }] })
  const { startMillis, endMillis } = spanOfNow()
  const span = { start_ts_ms: startMillis, end_ts_ms: endMillis }
  await venue.set('/competitions', { name: 'examples', win_conditions: ['pnl'], ...span })
  provider = await openProvider()
  await tradeOnce()
  const perps = await provider.client.perps()
  asset = perps.find(({ symbol: listed }) => listed === perpSymbol)!.asset
})

after(async () => {
  provider.session.close()
  await venue.onOperatorPort('DELETE', '/operator/instruments', { symbol: perpSymbol })
  rmSync(folder, { recursive: true })
})

function spanOfNow() {
  const startMillis = Date.now() + 600_000
  return { startMillis, endMillis: startMillis + 600_000 }
}

/** Returns a client with a wallet of its own, with money and the highest limits. */
async function fundedClient() {
  const privateKey = generatePrivateKey()
  const client = await strikebook.connectStrikebook({ url: venue.url, privateKey })
  const { wallet } = client
  await venue.set('/deposits', { wallet, amount: '500000' })
  await venue.set('/tiers', { wallet, tier: 'market_maker' })
  return { client, privateKey }
}

/** Trades, so that there are trades to read. */
async function tradeOnce(): Promise<void> {
  const terms = { symbol: otherSymbol, size: '0.1', price: '500' } as const
  await provider.client.placeOrder({ ...terms, side: 'Sell' })
  const { client } = await fundedClient()
  const { status } = await client.placeOrder({ ...terms, side: 'Buy' })
  assert.equal(status, 'FILLED')
}

/** Opens a provider that quotes every request. */
async function openProvider() {
  const { client } = await fundedClient()
  await venue.set('/quote-providers', { wallet: client.wallet, status: 'active' })
  const { context } = client
  const requests: strikebook.RfqRequest[] = []
  const session = await strikebook.QuoteProviderClient.connect({
    ...{ url: venue.url, context, nonce: client.nextNonce() },
    onMessage(message) {
      if (message.type !== 'rfq_request') return
      const request = message as strikebook.RfqRequest
      requests.push(request)
      const legs = request.legs.map((leg) => ({ ...leg, price: '1000' }))
      const netPremium = strikebook.netPremiumOf(legs)
      const terms = { rfqId: request.rfq_id, legs, netPremium, validForMillis: 20_000 }
      session.quote(terms, client.nextNonce())
    },
  })
  return { session, client, requests }
}

/** Values that an example may use, each created on demand. */
class Stage {
  readonly client: StrikebookClient
  readonly privateKey: string
  readonly #closing: { close(): void }[] = []
  #rfq: Promise<{ rfqId: string; quoteId: string; netPremium: string }> | null = null
  #stream: strikebook.StreamClient | null = null

  constructor({ client, privateKey }: Awaited<ReturnType<typeof fundedClient>>) {
    this.client = client
    this.privateKey = privateKey
  }

  /** Returns values for the names that a text contains. */
  async valuesFor(text: string): Promise<Readonly<Record<string, unknown>>> {
    const names = Object.keys(given).filter((name) => new RegExp(`\\b${name}\\b`).test(text))
    const values: [string, unknown][] = []
    for (const name of names) values.push([name, await this.#make[name as keyof typeof given]()])
    return Object.fromEntries(values)
  }

  close(): void {
    for (const one of this.#closing.splice(0)) one.close()
  }

  readonly #make: Readonly<Record<keyof typeof given, () => unknown>> = {
    url: () => venue.url,
    privateKey: () => this.privateKey,
    client: () => this.client,
    owner: () => this.client,
    providerClient: () => provider.client,
    stream: () => this.#streamUp(),
    orderFeed: async () => this.#kept(new strikebook.OrderFeed(await this.#feedParts())),
    fillFeed: async () => this.#kept(new strikebook.FillFeed(await this.#feedParts())),
    localBook: async () => {
      const { stream, client } = await this.#feedParts()
      return this.#kept(new strikebook.LocalBook({ stream, rest: client.rest, symbol }))
    },
    provider: () => this.#providersOwn(),
    request: async () => {
      await this.#quoted()
      return provider.requests.at(-1)
    },
    perpContext: async () => {
      const { perp_source: source } = await this.client.service.exchangeInfo()
      return { source, signer: this.client.context.signer, wallet: this.client.wallet }
    },
    symbol: () => symbol,
    otherSymbol: () => otherSymbol,
    agent: () => privateKeyToAddress(generatePrivateKey()),
    otherWallet: () => provider.client.wallet,
    terms: () => ({ symbol, side: 'Buy', size: '1', price: '1000' }),
    legs: () => [{ instrument: symbol, side: 'Buy', size: '1' }],
    orderId: () => this.#order('grid-17'),
    otherId: () => this.#order('grid-18'),
    asset: () => asset,
    perpOrderId: async () => {
      const clientId = '0x000000000000000000000000000000a1'
      const order = { asset, side: 'Buy', size: '1', price: '90000', clientId } as const
      return (await this.client.placePerpOrder(order)).order_id
    },
    nonce: async () => {
      const nonce = this.client.nextNonce()
      const order = { symbol, side: 'Buy', size: '1', price: '1' } as const
      const body = strikebook.signPlaceOrder(this.client.context, order, nonce)
      await this.client.rest.request('POST', '/order', { body })
      return nonce
    },
    digest: () => `0x${'00'.repeat(32)}`,
    rfqId: async () => (await this.#quoted()).rfqId,
    quoteId: async () => (await this.#quoted()).quoteId,
    netPremium: async () => (await this.#quoted()).netPremium,
    directiveId: () => this.#directive(),
    code: async () => (await provider.client.referrals.code()) ?? this.#newCode(),
    subscription: () => ({
      endpoint: 'https://fcm.googleapis.com/fcm/send/example',
      keys: { p256dh: pushPoint, auth: Buffer.alloc(16, 1).toString('base64url') },
    }),
  }

  async #streamUp(): Promise<strikebook.StreamClient> {
    const { url } = venue
    this.#stream ??= this.#kept(new strikebook.StreamClient({ url, wallet: this.client.wallet }))
    await this.#stream.answered()
    return this.#stream
  }

  async #feedParts() {
    const nothing = () => {}
    const stream = await this.#streamUp()
    return { stream, client: this.client, onOrder: nothing, onFill: nothing }
  }

  /** Returns a session that an example may close. */
  async #providersOwn(): Promise<strikebook.QuoteProviderClient> {
    const { context, nextNonce } = provider.client
    const { url } = venue
    const nonce = nextNonce()
    return this.#kept(await strikebook.QuoteProviderClient.connect({ url, context, nonce }))
  }

  #kept<One extends { close(): void }>(one: One): One {
    this.#closing.unshift(one)
    return one
  }

  async #placed(clientId: string) {
    const order = { symbol, side: 'Buy', size: '1', price: '1', clientId } as const
    return strikebook.expectAccepted(await this.client.placeOrder(order))
  }

  async #order(clientId: string): Promise<number> {
    return (await this.#placed(clientId)).order_id
  }

  #quoted() {
    this.#rfq ??= this.#askForQuotes()
    return this.#rfq
  }

  async #askForQuotes() {
    const rfqId = randomUUID()
    await this.client.submitRfq({ rfqId, legs: [{ instrument: symbol, side: 'Buy', size: '1' }] })
    for (;;) {
      const [quote] = (await this.client.rfq(rfqId)).quotes
      if (quote === undefined) continue
      return { rfqId, quoteId: quote.quote_id, netPremium: quote.net_premium }
    }
  }

  async #directive(): Promise<string> {
    const order = { limitPx: 90_000n * 10n ** 8n, sz: 10 ** 8, reduceOnly: false, encodedTif: 2 }
    const terms = { asset, isBuy: true, ...order } as const
    const answer = await this.client.directives.send('hl_limit_order', { ...terms, encodedTif: 2 })
    return answer.directiveId
  }

  async #newCode(): Promise<string> {
    return (await provider.client.account.createReferralCode({ code: 'BESTQUOTES' })).code
  }
}

/** Base point of the curve: a key that a browser could have. */
const pushPoint = Buffer.from(
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
).toString('base64url')

async function runExample({ text }: DocExample, run: RunExample): Promise<void> {
  const stage = new Stage(await fundedClient())
  try {
    await run(await stage.valuesFor(text))
  } finally {
    stage.close()
  }
}

test("each example in the client's docs runs", async (t) => {
  const failed: string[] = []
  t.mock.method(console, 'log', () => {})
  for (const [place, example] of examples.entries()) {
    if (compiledOnly.includes(example.declared)) continue
    try {
      await runExample(example, runs[place]!)
    } catch (error) {
      failed.push(`${example.name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  assert.deepEqual(failed, [])
})
