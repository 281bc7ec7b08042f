import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { ExchangeClient, HttpRequestError, HttpTransport, InfoClient } from '@hypercallxyz/sdk'

import * as sdk from '@hypercallxyz/sdk/signing'
import { keccak256, stringToBytes, type TypedDataDefinition } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { QuoteProviderClient } from '../../gateway/client/quote-provider-client.js'
import { createSigner } from '../../gateway/client/signer.js'
import { signingDomains } from '../../schemas/typed-data.js'
import { dateText, WalletKey } from './support/signed-body.js'
import { type TypedAnswer, typeFaults } from './support/typed-answers.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// A third-party client, from its published package: it signs, sends, and declares in its types what it reads.

const chainId = 999
const venue = new Venue({
  arguments: [
    '--preset=mainnet-alpha',
    '--service-name=Hypercall',
    '--set=compat.decimalStrings=true',
    '--set=pricing.indexMaxAgeMillis=0',
    '--set=pricing.surfaceMaxAgeMillis=0',
    '--set=settlement.maxCarryMillis=0',
    '--set=withdrawals.rail=simulated',
    '--set=liquidation.graceSeconds=0',
    '--set=liquidation.partialSeconds=0',
    '--set=liquidation.valuationSeconds=60',
  ],
  token: 'operator',
})

type Unserved = Readonly<
  Record<'info' | 'exchange', Readonly<Record<string, Readonly<Record<string, string>>>>>
>
/** Methods whose endpoints this venue does not serve yet. */
const unserved: Unserved = {
  info: {},
  exchange: {},
}

type ClientName = 'info' | 'exchange'
type Method = (parameters?: object) => Promise<Wire>

const answers: TypedAnswer[] = []
const driven = { info: new Set<string>(), exchange: new Set<string>() }
const symbol = `BTC-${dateText(30)}-110000-C`
const perp = 'BTC-PERP'
const [maker, taker] = [new WalletKey(), new WalletKey()]
let clients: Record<ClientName, Record<string, Method>>

before(async () => {
  await venue.start()
  const transport = new HttpTransport({ apiUrl: venue.url })
  const [info, exchange] = [new InfoClient({ transport }), new ExchangeClient({ transport })]
  clients = { info, exchange } as unknown as typeof clients
  await venue.set('/instruments', { symbol })
  await venue.set('/instruments', { symbol: perp })
  await setIndex('100000')
  const points = [{ strike: '100000', iv: '0.6' }]
  const expiry = Date.parse(`${isoDate(30)}T08:00:00Z`) / 1000
  await venue.set('/vol-surfaces', { underlying: 'BTC', expiry, points })
  await fund(maker, '1000000')
  await fund(taker, '1000000')
})
after(() => venue.dispose())

/** Fixed time, so that a midnight during the tests changes no date. */
const startMillis = Date.now()

function isoDate(days: number): string {
  return new Date(startMillis + days * 86_400_000).toISOString().slice(0, 10)
}

async function setIndex(price: string): Promise<void> {
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price }] })
}

/** Gives a wallet cash, and the tier that may go short here. */
async function fund({ wallet }: WalletKey, amount: string): Promise<void> {
  await venue.set('/deposits', { wallet, amount })
  await venue.set('/tiers', { wallet, tier: 'market_maker' })
}

/** Calls a method. The last test checks its answer against its type. */
async function ask(client: ClientName, name: string, parameters?: object): Promise<Wire> {
  const value = await clients[client][name]!(parameters)
  driven[client].add(name)
  const className = client === 'info' ? 'InfoClient' : 'ExchangeClient'
  const isSlim =
    parameters !== undefined && Reflect.get(parameters, 'include_instruments') === false
  const type = isSlim ? 'Frozen<MarketsSlimResponse>' : `Answered<${className}, '${name}'>`
  answers.push({ type, value })
  return value
}

/** Returns the rows of an answer, which must have some: an empty list fits any type. */
async function rows(name: string, parameters?: object): Promise<Wire[]> {
  const { data, result, agents } = await ask('info', name, parameters)
  const list = data ?? result ?? agents
  assert.ok(list.length > 0, `${name} has rows`)
  return list
}

async function sign(
  by: WalletKey,
  types: Readonly<Record<string, readonly sdk.TypedField[]>>,
  message: object,
): Promise<string> {
  const [primaryType] = Object.keys(types)
  const data = sdk.buildTypedData({ chainId, types, primaryType: primaryType!, message })
  return by.account.signTypedData(
    data as unknown as TypedDataDefinition<Record<string, unknown>, string>,
  )
}

interface Terms {
  readonly side?: 'Buy' | 'Sell'
  readonly size?: string
  readonly price?: string
  readonly tif?: 'gtc' | 'ioc' | 'fok'
  readonly clientId?: string
  readonly symbol?: string
}

async function place(by: WalletKey, terms: Terms): Promise<Wire> {
  const value = sdk.buildPlaceOrderValue({
    ...{ wallet: by.wallet, symbol, side: 'Buy', size: '1', price: '3000', tif: 'gtc' },
    ...{ route: 'book_only', nonce: by.nextNonce(), ...terms },
  })
  const signature = await sign(by, sdk.PLACE_ORDER_TYPES, value)
  return ask('exchange', 'placeOrder', { ...sdk.toOrderRequestPayload(value), signature })
}

async function cancel(by: WalletKey, order_id: number, wallet = by.wallet) {
  const nonce = by.nextNonce()
  const value = sdk.buildCancelOrderValue({ wallet, orderId: String(order_id), nonce })
  return { wallet, order_id, nonce, signature: await sign(by, sdk.CANCEL_ORDER_TYPES, value) }
}

async function cancelByClientId(by: WalletKey, client_id: string) {
  const [nonce, { wallet }] = [by.nextNonce(), by]
  const value = sdk.buildCancelOrderByClientIdValue({ wallet, clientId: client_id, nonce })
  const signature = await sign(by, sdk.CANCEL_ORDER_BY_CLOID_TYPES, value)
  return { wallet, client_id, nonce, signature }
}

test('the venue states the domain that the client signs for', async () => {
  const { signing_domain, chain_id } = await ask('info', 'exchangeInfo')
  assert.deepEqual(
    [signing_domain.name, signing_domain.version, chain_id],
    [sdk.HYPERCALL_DOMAIN_NAME, sdk.HYPERCALL_DOMAIN_VERSION, chainId],
  )
})

test('the client places, replaces, reduces and cancels orders, one by one and in bulk, by either id', async () => {
  const resting = await place(maker, { side: 'Sell', size: '5', price: '3500', clientId: 'ask' })
  assert.deepEqual([resting.status, resting.filled_size], ['ACKED', '0'])
  assert.equal((await place(taker, { price: '3500', tif: 'ioc' })).status, 'FILLED')
  const rejected = await place(taker, { symbol: `BTC-${dateText(30)}-5-C` })
  assert.deepEqual([rejected.status, rejected.order_id], ['REJECTED', null])

  const nonce = maker.nextNonce()
  const value = sdk.buildReplaceOrderValue({
    ...{ wallet: maker.wallet, orderId: String(resting.order_id), symbol, side: 'Sell' },
    ...{ size: '4', price: '3600', tif: 'gtc', clientId: 'ask', nonce },
  })
  const signature = await sign(maker, sdk.REPLACE_ORDER_TYPES, value)
  const { order_id, ...payload } = sdk.toReplaceOrderRequestPayload(value)
  const request = { ...payload, order_id: Number(order_id), signature }
  const replaced = await ask('exchange', 'replaceOrder', request)
  assert.equal(replaced.status, 'ACKED')

  const canceled = await ask('exchange', 'cancelOrder', await cancel(maker, replaced.order_id))
  assert.deepEqual(
    [canceled.success, canceled.data.status, canceled.error],
    [true, 'CANCELED', null],
  )
  assert.equal(canceled.status, 'CANCELED', 'the update shows the cancel too')
  const again = await ask('exchange', 'cancelOrder', await cancel(maker, replaced.order_id))
  assert.deepEqual([again.success, again.data.status], [false, 'REJECTED'])
  assert.equal(again.error, again.data.reason)

  const ids = []
  for (const clientId of ['a', 'b', 'c', 'd', 'e']) {
    ids.push((await place(maker, { clientId, price: '100' })).order_id)
  }
  const byClientId = await cancelByClientId(maker, 'a')
  assert.equal((await ask('exchange', 'cancelOrderByClientId', byClientId)).success, true)
  const cancels = [await cancel(maker, ids[1]), await cancel(maker, ids[1])]
  const bulk = await ask('exchange', 'bulkCancelOrders', { cancels })
  assert.deepEqual(
    bulk.results.map(({ success }: Wire) => success),
    [true, false],
  )
  const named = [await cancelByClientId(maker, 'c'), await cancelByClientId(maker, 'none')]
  const bulkNamed = await ask('exchange', 'bulkCancelOrdersByClientId', { cancels: named })
  assert.deepEqual(
    bulkNamed.results.map(({ success }: Wire) => success),
    [true, false],
  )
})

test("the client reads profiles: a wallet's values, fills, realized PnL and points", async () => {
  const { wallet } = taker
  const { data } = await ask('info', 'profile', { wallet })
  assert.deepEqual([data.account_wallet, data.margin.deposits], [wallet, '1000000'])
  await ask('info', 'profile', { wallet: new WalletKey().wallet })
  const fills = await rows('profileTrades', { wallet, symbol, limit: 5 })
  assert.ok(fills.every((fill) => fill.symbol === symbol))
  await ask('info', 'profileRealizedPnl', { wallet })
  for (const interval of ['5m', '1h', '1d'])
    await ask('info', 'historicalPnl', { wallet, interval })
})

test('rows of orders have the client’s statuses, and its filters find them', async () => {
  const { wallet } = maker
  const open = await place(maker, { side: 'Sell', size: '3', price: '3400' })
  await place(taker, { size: '1', price: '3400', tif: 'ioc' })
  const all = await rows('orders', { wallet })
  assert.ok(all.every(({ order_id }) => order_id >= 1))
  const idsOf = async (status: string) =>
    (await rows('orders', { wallet, status })).map(({ order_id }) => order_id)
  for (const status of ['open', 'OPEN', 'partially_filled']) {
    assert.ok((await idsOf(status)).includes(open.order_id), status)
  }
  assert.deepEqual(await idsOf('cancelled'), await idsOf('canceled'))
  await ask('info', 'orders', { wallet, status: 'filled', limit: 5, offset: 0 })
  const status = { wallet, orderId: String(open.order_id) }
  assert.equal((await ask('info', 'orderStatus', status)).data.status, 'partially_filled')
  assert.equal((await ask('info', 'orderStatus', { wallet, orderId: 'none' })).data, null)
})

test('the client reads fills and trades', async () => {
  const [fill] = await rows('fills', { wallet: maker.wallet })
  const [trade] = await rows('trades')
  assert.ok(fill!.fill_id >= 1 && trade!.trade_id >= 1)
  for (const filter of [
    { symbol },
    { underlying: 'BTC', offset: 0 },
    { account: taker.wallet },
    { after_trade_id: 0 },
  ]) {
    await rows('trades', { ...filter, limit: 5 })
  }
  assert.equal((await ask('info', 'trade', { tradeId: trade!.trade_id })).data.symbol, symbol)
})

test('the client requests a quote, reads it once it is final, and accepts it', async () => {
  const { wallet } = taker
  const seen: Wire[] = []
  const provider = await quoting((message) => seen.push(message))
  const rfqId = randomUUID()
  const legs = [{ instrument: symbol, side: 'Buy', size: '1' }]
  const legsHash = keccak256(stringToBytes(`${symbol}|buy|1`))
  const nonce = taker.nextNonce()
  const asked = sdk.buildSubmitRfqValue({ rfqId: wordOf(rfqId), legsHash, wallet, nonce })
  const signature = await sign(taker, sdk.SUBMIT_RFQ_TYPES, asked)
  const body = { rfq_id: rfqId, legs, wallet_address: wallet, nonce, signature }
  assert.equal((await ask('exchange', 'submitRfq', body)).status, 'sent_to_qps')
  await eventually('the request', () => seen.some(({ type }) => type === 'rfq_request'))
  const priced = [{ ...legs[0]!, price: '3000' }]
  provider.quote({ rfqId, legs: priced, netPremium: '-3000', validForMillis: 30_000 }, 2)
  const read = () => ask('info', 'rfqStatus', { rfqId })
  await eventually('the quote', async () => (await read()).quotes.length === 1)
  const [{ quote_id: quoteId, net_premium }] = (await read()).quotes
  assert.equal(net_premium, '-3000')
  const accepted = sdk.buildAcceptRfqQuoteValue({
    ...{ rfqId: wordOf(rfqId), quoteId: wordOf(quoteId), netPremium: -3_000_000_000n },
    ...{ wallet, nonce: taker.nextNonce() },
  })
  const accept = {
    ...{ rfq_id: rfqId, quote_id: quoteId, wallet_address: wallet },
    nonce: Number(accepted.nonce),
    signature: await sign(taker, sdk.ACCEPT_RFQ_QUOTE_TYPES, accepted),
  }
  assert.equal((await ask('exchange', 'acceptRfqQuote', accept)).status, 'executed')
  assert.equal((await read()).status, 'executed')
  await autoExecuted()
  provider.close()
})

/** Sends a request with a limit: without a quote in time, its limit goes to the book. */
async function autoExecuted(): Promise<void> {
  const { wallet } = taker
  const rfqId = randomUUID()
  const legs = [{ instrument: symbol, side: 'Buy', size: '1' }]
  const legsHash = keccak256(stringToBytes(`${symbol}|buy|1`))
  const value = sdk.buildSubmitAutoExecuteRfqValue({
    ...{ rfqId: wordOf(rfqId), legsHash, limitPrice: 100_000_000n, wallet },
    nonce: BigInt(taker.nextNonce()),
  })
  const signature = await sign(taker, sdk.SUBMIT_AUTO_EXECUTE_RFQ_TYPES, value)
  const nonce = Number(value.nonce)
  const body = { rfq_id: rfqId, legs, wallet_address: wallet, nonce, signature }
  const answer = await ask('exchange', 'submitRfq', { ...body, auto_accept_limit: '100' })
  assert.equal(answer.status, 'sent_to_qps')
}

/** Opens a session of a provider, which uses another client. */
async function quoting(onMessage: (message: Wire) => void): Promise<QuoteProviderClient> {
  const signer = createSigner(generatePrivateKey())
  const wallet = signer.address
  await venue.set('/deposits', { wallet, amount: '1000000' })
  await venue.set('/tiers', { wallet, tier: 'market_maker' })
  await venue.set('/quote-providers', { wallet, status: 'active' })
  const domain = signingDomains('Hypercall', chainId).options
  const context = { domain, signer, wallet }
  return QuoteProviderClient.connect({ url: venue.url, context, nonce: 1, onMessage })
}

/** Returns a UUID as it is signed. */
function wordOf(uuid: string): `0x${string}` {
  return `0x${uuid.replaceAll('-', '').padStart(64, '0')}`
}

test('the client reads instruments and books, with ids from 1, perps included, and numbers for unknown values', async () => {
  await rows('markets')
  const market = await rows('markets', { include_instruments: true })
  assert.equal(market[0].instruments[0].id, symbol)
  const slim = await ask('info', 'markets', { include_instruments: false })
  assert.ok('prev_day_px' in slim.data[0] && !('instruments' in slim.data[0]))
  const [option] = await rows('instruments', { currency: 'BTC' })
  assert.equal(option!.instrument_id, 1)
  const [future] = await rows('instruments', { currency: 'BTC', kind: 'future' })
  assert.deepEqual(
    [future!.instrument_id, future!.strike, future!.option_type, future!.expiration_timestamp],
    [2, 0, '', 0],
  )
  const [summary] = await rows('optionSummaries', {
    currency: 'BTC',
    includeRfqProviderQuotes: true,
  })
  assert.equal(summary!.instrument_id, 1)
  const far = `ETH-${dateText(30)}-3000-C`
  await venue.set('/instruments', { symbol: far })
  const [unknown] = await rows('optionSummaries', { currency: 'ETH' })
  assert.deepEqual([unknown!.mark_price, unknown!.mid_price], [0, 0])
  for (const instrumentId of [symbol, option!.instrument_id, perp, far]) {
    const { result } = await ask('info', 'orderbook', { instrumentId, depth: 5 })
    assert.equal(result.settlement_price, 0)
  }
  const names = [symbol, far]
  const hour = { interval: '1h', limit: 10 }
  await ask('info', 'historicalTheos', { instrumentName: symbol, ...hour })
  const batch = await ask('info', 'historicalTheosBatch', { instrumentNames: names, ...hour })
  assert.deepEqual(Object.keys(batch.data), names)
})

test('the client reads accounts: portfolio, risk, agents, margin mode', async () => {
  const { data } = await ask('info', 'portfolio', { wallet: taker.wallet })
  assert.equal(data.positions[0].symbol, symbol)
  await ask('info', 'portfolio', { wallet: new WalletKey().wallet })
  const grid = (await ask('info', 'riskGrid', { wallet: taker.wallet })).data
  assert.ok(grid.underlyings.length > 0)
  const empty = (await ask('info', 'riskGrid', { wallet: new WalletKey().wallet })).data
  assert.equal(empty.underlyings[0].extended_risk_matrix.worst_scenario_index, 0)

  const agent = new WalletKey().wallet
  const agentValue = () => [taker.nextNonce(), agent] as const
  const [approveNonce] = agentValue()
  const approval = sdk.buildApproveAgentValue(agent, approveNonce)
  const approve = await sign(taker, sdk.APPROVE_AGENT_TYPES, approval)
  await ask('exchange', 'approveAgent', { agent, nonce: approveNonce, signature: approve })
  assert.deepEqual(await rows('authorizedAgents', { wallet: taker.wallet }), [agent])
  const [revokeNonce] = agentValue()
  const revocation = sdk.buildRevokeAgentValue(agent, revokeNonce)
  const revoke = await sign(taker, sdk.REVOKE_AGENT_TYPES, revocation)
  await ask('exchange', 'revokeAgent', { agent, nonce: revokeNonce, signature: revoke })
  const nonce = taker.nextNonce()
  const all = await sign(taker, sdk.REVOKE_ALL_AGENTS_TYPES, sdk.buildRevokeAllAgentsValue(nonce))
  await ask('exchange', 'revokeAllAgents', { nonce, signature: all })
  await ask('info', 'authorizedAgents', { wallet: taker.wallet })

  const modeNonce = taker.nextNonce()
  const mode = { wallet: taker.wallet, marginMode: 'standard', nonce: modeNonce } as const
  const signature = await sign(taker, sdk.SET_MARGIN_MODE_TYPES, sdk.buildSetMarginModeValue(mode))
  const request = { wallet: taker.wallet, margin_mode: 'standard', nonce: modeNonce, signature }
  assert.equal((await ask('exchange', 'setMarginMode', request)).data.margin_mode, 'standard')
})

test('the client reads a referral code, its wallets, and their traded volume', async () => {
  const [referrer, referred] = [maker.wallet, taker.wallet]
  const own = { wallet: referrer, code: 'friends-1', nonce: maker.nextNonce() }
  const created = sdk.buildCreateReferralCodeValue(own)
  const code = await ask('exchange', 'createReferralCode', {
    ...own,
    signature: await sign(maker, sdk.CREATE_REFERRAL_CODE_TYPES, created),
  })
  assert.equal(code.code, 'FRIENDS-1')
  const set = { wallet: referred, referrer, nonce: taker.nextNonce() }
  const signature = await sign(taker, sdk.SET_REFERRER_TYPES, sdk.buildSetReferrerValue(set))
  await ask('exchange', 'setReferrer', { ...set, code: 'friends-1', signature })
  const binding = await ask('info', 'referralBinding', { wallet: referred })
  assert.equal(binding.referrer_wallet, referrer)
  assert.equal((await ask('info', 'referralBinding', { wallet: referrer })).referrer_wallet, null)
  assert.equal((await ask('info', 'referralCodeByOwner', { wallet: referrer })).code, 'FRIENDS-1')
  assert.equal(await clients.info['referralCodeByOwner']!({ wallet: referred }), null)
  assert.equal((await ask('info', 'referralCode', { code: 'friends-1' })).owner_wallet, referrer)
  const [row] = await rows('referredWallets', { wallet: referrer, limit: 5 })
  assert.equal(row.referred_wallet, referred)
  assert.ok(Number(row.volume_usd) > 0)
})

test("the client reads a liquidation's status, bids, and reads the records", async () => {
  const short = new WalletKey()
  await fund(short, '15000')
  assert.equal(
    (await ask('info', 'liquidationStatus', { wallet: short.wallet })).data.state,
    'healthy',
  )
  await place(maker, { size: '1', price: '3270' })
  const sold = await place(short, { side: 'Sell', size: '1', price: '3270' })
  assert.equal(sold.status, 'FILLED', JSON.stringify(sold))
  await setIndex('112000')
  let status: Wire
  await eventually('an auction with terms', async () => {
    status = (await ask('info', 'liquidationStatus', { wallet: short.wallet })).data
    return typeof status.full_liquidation?.current_required_bid_usdc === 'string'
  })
  const terms = status.full_liquidation
  const bidder = new WalletKey()
  await fund(bidder, '1000000')
  const nonce = bidder.nextNonce()
  const bid = {
    wallet: bidder.wallet,
    liquidated_wallet: short.wallet,
    request_id: terms.request_id,
    auction_id: terms.auction_id,
    bid_usdc: terms.current_required_bid_usdc,
    portfolio_hash: terms.current_portfolio_hash,
    auction_terms_hash: terms.current_auction_terms_hash,
    auction_version: terms.current_auction_version,
    bid_intent_hash: 'intent',
    nonce,
  }
  const value = sdk.buildStandardMarginLiquidationOrderValue({
    ...{ wallet: bid.wallet, liquidatedWallet: bid.liquidated_wallet, requestId: bid.request_id },
    ...{ auctionId: bid.auction_id, bidUsdc: bid.bid_usdc, portfolioHash: bid.portfolio_hash },
    ...{ auctionTermsHash: bid.auction_terms_hash, auctionVersion: bid.auction_version },
    ...{ bidIntentHash: bid.bid_intent_hash, nonce },
  })
  const types = sdk.STANDARD_MARGIN_LIQUIDATION_ORDER_TYPES
  const request = {
    ...bid,
    positions: terms.current_positions,
    valuation_timestamp_ms: terms.current_valuation_timestamp_ms,
    signature: await sign(bidder, types, value),
  }
  const won = await ask('exchange', 'submitStandardMarginLiquidation', request)
  assert.equal(won.data.liquidator_wallet, bidder.wallet)
  await eventually('the record of its end', async () => {
    const { data } = await ask('info', 'liquidationHistory', { wallet: short.wallet })
    return data[0]?.new_state === 'healthy'
  })
  const [last] = await rows('liquidations', { wallet: short.wallet, limit: 2 })
  assert.equal(last!.new_state, 'healthy')
  const both = { status: 'in_liquidation', state: 'in_liquidation' }
  await rows('liquidations', { ...both, marginMode: 'standard', liquidationMode: 'full' })
  await ask('info', 'liquidations')
  await setIndex('100000')
})

/**
 * Returns an option that traded before its expiry. If a slow machine is late, it retries with a new option and more
 * time.
 */
async function tradedSoon() {
  for (let seconds = 5; ; seconds *= 2) {
    const expiry = Math.floor(Date.now() / 1000) + seconds
    const date = new Date(expiry * 1000).toISOString().slice(0, 10).replaceAll('-', '')
    const underlying = `SOON${seconds}`
    const ending = `${underlying}-${date}-90-C`
    await venue.set('/instruments', { symbol: ending, expiry })
    await venue.set('/index-prices', { prices: [{ underlying, price: '100' }] })
    const points = [{ strike: '90', iv: '0.6' }]
    await venue.set('/vol-surfaces', { underlying, expiry, points })
    await place(maker, { symbol: ending, side: 'Sell', size: '2', price: '10' })
    const bought = await place(taker, { symbol: ending, size: '2', price: '10' })
    if (bought.status === 'FILLED') return { underlying, ending, expiry }
    assert.equal(bought.reason_code, 'instrument_expired', JSON.stringify(bought))
    assert.ok(seconds < 60, 'the option expires before it can be traded')
  }
}

test('the client reads settlement payouts and marks them as seen', async () => {
  const { underlying, ending, expiry } = await tradedSoon()
  const price = { underlying, expiry, price: '97' }
  await eventually('the price is taken', async () => {
    return (await venue.operator('POST', '/settlement-prices', price)).status === 200
  })
  const { wallet } = taker
  let payout: Wire
  await eventually('the payout', async () => {
    const { data } = await ask('info', 'settlementPayouts', { wallet, symbol: ending })
    payout = data[0]
    return payout !== undefined
  })
  assert.equal(payout.settlement_value, '14')
  const nonce = taker.nextNonce()
  const ids = [payout.id]
  const value = sdk.buildSetSettlementPayoutSeenValue({ wallet, ids, nonce })
  const signature = await sign(taker, sdk.SET_SETTLEMENT_PAYOUT_SEEN_TYPES, value)
  const seen = { wallet, ids, nonce, signature }
  assert.equal((await ask('exchange', 'setSettlementPayoutsSeen', seen)).affected, 1)
  await rows('settlementPayouts', { wallet, limit: 5, offset: 0, ledgerApplied: true })
})

test('the client finds a deposit as a transfer with every filter list that includes it', async () => {
  const { wallet } = taker
  const [deposit] = await rows('transfers', {
    ...{ wallet, transactionTypes: ['deposit', 'withdrawal'], assets: ['USDC'] },
    ...{ statuses: ['completed', 'pending'], limit: 5 },
  })
  assert.deepEqual([deposit.transaction_type, deposit.amount], ['deposit', '1000000'])
  assert.deepEqual((await ask('info', 'withdrawalHistory', { wallet, limit: 5 })).withdrawals, [])
})

test('the client follows a withdrawal by its directive until it arrives', async () => {
  const { wallet } = taker
  const [destination, nonce] = [new WalletKey().wallet, taker.nextNonce()]
  const value = { ...{ wallet, account: wallet, destination, amount: '25.5' }, nonce }
  const signed = sdk.buildWithdrawUsdcValue(value)
  const signature = await sign(taker, sdk.WITHDRAW_USDC_TYPES, signed)
  const answer = await ask('exchange', 'withdrawUsdc', { ...value, signature })
  assert.equal(answer.message, 'USDC withdrawal accepted')
  const { directive_id: directiveId } = answer
  await eventually('it has arrived', async () => {
    const { delivery_status } = await ask('info', 'directiveStatus', { directiveId })
    return delivery_status === 'finalized'
  })
  const { withdrawals } = await ask('info', 'withdrawalHistory', { wallet, limit: 5 })
  assert.equal(withdrawals[0].directive_id, directiveId)
  const [latest] = await rows('transfers', { wallet, transactionTypes: ['withdrawal'] })
  assert.deepEqual([latest.id, latest.amount], [directiveId, '25.5'])
})

test('the tests above call every method or list it as not served', async () => {
  const methodsOf = (client: { readonly prototype: object }) =>
    Object.getOwnPropertyNames(client.prototype).filter((name) => name !== 'constructor')
  for (const [name, client] of [
    ['info', InfoClient],
    ['exchange', ExchangeClient],
  ] as const) {
    const known = [...driven[name], ...Object.keys(unserved[name])]
    assert.deepEqual(methodsOf(client).sort(), known.sort())
  }
})

test('the venue refuses endpoints that it does not serve yet as unsupported', async () => {
  const { wallet } = new WalletKey()
  for (const name of ['info', 'exchange'] as const) {
    for (const [method, parameters] of Object.entries(unserved[name])) {
      const filled = Object.entries({ wallet, nonce: 1, signature: '0x', ...parameters })
      const request = Object.fromEntries(filled.map(([key, value]) => [key, value || wallet]))
      await assert.rejects(clients[name][method]!(request), (error) => {
        assert.ok(error instanceof HttpRequestError, `${method}: ${error}`)
        assert.equal(error.response?.status, name === 'info' ? 404 : 400, method)
        return true
      })
    }
  }
})

test('every answer above has the type that the client’s method declares', () => {
  const imports =
    "import type { ExchangeClient, InfoClient } from '@hypercallxyz/sdk'\n" +
    "import type { MarketsSlimResponse } from '@hypercallxyz/sdk/api/info'\n"
  assert.ok(answers.length >= 60, `${answers.length} answers`)
  assert.equal(typeFaults(imports, answers), '')
  const wrong = { type: "Answered<InfoClient, 'orderStatus'>", value: { success: true, data: {} } }
  assert.match(typeFaults(imports, [wrong]), /order_id/)
})
