import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { WebSocketServer } from 'ws'
import * as strikebook from '../../../gateway/client/index.js'
import { RestClient } from '../../../gateway/client/rest-client.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { StrikebookClient } from '../../../gateway/client/strikebook-client.js'
import { operationsOf } from '../../../gateway/documents/operation-list.js'
import { frameTypes } from '../../../gateway/ws/frames.js'
import { providerFrames } from '../../../schemas/interface/frames.js'
import { clientExamples } from '../../support/client-examples.js'
import { signingVectors } from '../../support/signing-vectors.js'

const signer = createSigner(signingVectors.keys['A']!.privateKey)
const domain = { name: 'Strikebook', version: '1', chainId: 31337 }
const context = { domain, signer, wallet: signer.address.toLowerCase() }
const symbol = 'BTC-20300628-100000-C'
const terms = { symbol, side: 'Buy', size: '1', price: '250' } as const
const rfqId = '01a20b56-5aa5-7000-8000-000000000001'
const quoteId = '01a20b56-5aa5-7000-8000-000000000002'
const legs = [{ instrument: symbol, side: 'Buy', size: '1' }] as const
const perp = { asset: 1, side: 'Buy', size: '1', price: '100' } as const
const directive = { asset: 1, isBuy: true, limitPx: 1, sz: 1, reduceOnly: false } as const
const key = `0x${'01'.repeat(32)}`
const bid = {
  ...{ requestId: rfqId, auctionId: '1', liquidatedWallet: context.wallet, bidUsdc: '1' },
  ...{ portfolioHash: 'sha256:0', auctionTermsHash: 'sha256:0', bidIntentHash: 'bid' },
  ...{ auctionVersion: 1, valuationTimestampMs: 1, positions: [] },
}

/** Operations of the operator's own key, and of an auction, in which `bidLiquidation` bids. */
const shownElsewhere = ['setUserTier', 'standardMarginLiquidationOrder']

type Call = (client: StrikebookClient) => Promise<unknown>

/** The method for each operation, by the key that the tables of requests have it under. */
const calls: Readonly<Record<string, Call>> = {
  'GET /': (client) => client.service.index(),
  'GET /health': (client) => client.service.health(),
  'GET /version': (client) => client.service.version(),
  'GET /ready': (client) => client.service.ready(),
  'GET /openapi.json': (client) => client.service.openApi(),
  'GET /asyncapi.json': (client) => client.service.asyncApi(),
  'GET /exchange-info': (client) => client.service.exchangeInfo(),
  'GET /instruments': (client) => client.market.instruments(),
  'GET /instrument-specs': (client) => client.market.specs(),
  'GET /markets': (client) => client.market.list(),
  'GET /trades/': (client) => client.market.trade(7),
  'GET /historical-theos': (client) => client.market.theos(symbol),
  'GET /historical-theos/batch': (client) => client.market.theosOf([symbol]),
  'GET /trades': (client) => client.trades(),
  'GET /orderbook': (client) => client.orderbook(symbol),
  'GET /options-summary': (client) => client.optionsSummary(),
  'GET /portfolio': (client) => client.portfolio(),
  'GET /authorized-agents': (client) => client.authorizedAgents(),
  'GET /user-tier': (client) => client.userTier(),
  'GET /username': (client) => client.profile.username(),
  'GET /profile': (client) => client.profile.read(),
  'GET /profile/realized-pnl': (client) => client.profile.realizedPnl(),
  'GET /profile/trades': (client) => client.profile.trades(),
  'GET /profile/historical-pnl': (client) => client.profile.historicalPnl(),
  'GET /self-trade-prevention': (client) => client.selfTradePrevention(),
  'GET /mmp-config': (client) => client.mmpConfigs(),
  'GET /risk/grid': (client) => client.risk.grid(),
  'POST /risk/simulate/orders': (client) => client.risk.simulateOrders([terms]),
  'GET /liquidation/status': (client) => client.liquidationStatus(),
  'GET /liquidation/history': (client) => client.liquidationHistory(),
  'GET /liquidations': (client) => client.risk.liquidations(),
  'GET /competitions': (client) => client.contests.list(),
  'GET /competitions/': (client) => client.contests.find(1),
  'GET /leaderboard': (client) => client.contests.leaderboard(),
  'GET /competition-metric-ranks': (client) => client.contests.ranks(),
  'GET /fees': (client) => client.fees(),
  'GET /orders': (client) => client.orders(),
  'GET /orders/status': (client) => client.orderStatus('7'),
  'GET /orders/why': (client) => client.safety.whyOrder({ orderId: 7 }),
  'GET /actions/outcome': (client) => client.safety.actionOutcome(key),
  'GET /rate-limits': (client) => client.safety.rateLimits(),
  'GET /fills': (client) => client.fills(),
  'GET /settlement-payouts': (client) => client.settlementPayouts(),
  'GET /rfq': (client) => client.rfqs(),
  'GET /rfq/': (client) => client.rfq(rfqId),
  'GET /referrals/binding': (client) => client.referrals.referrer(),
  'GET /referrals/code': (client) => client.referrals.code(),
  'GET /referrals/code/': (client) => client.referrals.ownerOf('FRIENDS'),
  'GET /referrals/referred': (client) => client.referrals.referred(),
  'GET /v1/withdrawals': (client) => client.money.withdrawals(),
  'GET /v1/directives/': (client) => client.directives.status(rfqId),
  'GET /v1/transfers': (client) => client.money.transfers(),
  'POST /faucet': (client) => client.money.faucet(),
  'POST /order': (client) => client.placeOrder(terms),
  'PUT /order': (client) => client.replaceOrder({ orderId: 7, ...terms }),
  'DELETE /order': (client) => client.cancelOrder(7),
  'POST /order/debug': (client) => client.debugOrder(terms),
  'POST /bulk_order': (client) => client.placeOrders([terms]),
  'PUT /bulk_order': (client) => client.replaceOrders([{ orderId: 7, ...terms }]),
  'DELETE /bulk_order': (client) => client.cancelOrders([7]),
  'DELETE /bulk_order_cloid': (client) => client.cancelByClientIds(['grid-17']),
  'POST /perp-order': (client) => client.placePerpOrder(perp),
  'POST /rfq/request': (client) => client.submitRfq({ rfqId, legs }),
  'POST /rfq/accept': (client) => client.acceptRfqQuote({ rfqId, quoteId, netPremium: '-1' }),
  'POST /v1/actions/hl_limit_order': ({ directives }) =>
    directives.send('hl_limit_order', { ...directive, encodedTif: 2 }),
  'POST /v1/actions/hl_cancel_by_oid': ({ directives }) =>
    directives.send('hl_cancel_by_oid', { asset: 1, oid: 7 }),
  'POST /v1/actions/hl_cancel_by_cloid': ({ directives }) =>
    directives.send('hl_cancel_by_cloid', { asset: 1, cloid: 7 }),
  'POST /v1/actions/hl_set_abstraction': ({ directives }) =>
    directives.send('hl_set_abstraction', { user: context.wallet, abstraction: 2 }),
  'POST /v1/actions/hc_update_api_wallet': ({ directives }) =>
    directives.send('hc_update_api_wallet', { name: key, addr: context.wallet }),
  'POST /margin-mode': ({ account }) => account.setMarginMode({ marginMode: 'standard' }),
  'POST /self-trade-prevention': ({ account }) =>
    account.setSelfTradePrevention({ mode: 'cancel_both' }),
  'POST /cancel-all': ({ account }) => account.cancelAll({ scope: 'all' }),
  'POST /dead-man': ({ account }) => account.setDeadMan({ timeoutMs: 0 }),
  'POST /user-tier': ({ account }) => account.setUserTier({ tier: 'tier1' }),
  'POST /mmp-config': ({ account }) =>
    account.setMmpConfig({ currency: 'BTC', intervalMs: 1, frozenTimeMs: 1, qtyLimit: '1' }),
  'DELETE /mmp-config': ({ account }) => account.deleteMmpConfig({ currency: 'BTC' }),
  'POST /mmp-config/reset': ({ account }) => account.resetMmp({ currency: 'BTC' }),
  'POST /approve-agent': ({ account }) => account.approveAgent({ agent: context.wallet }),
  'DELETE /revoke-agent': ({ account }) => account.revokeAgent({ agent: context.wallet }),
  'DELETE /revoke-all-agents': ({ account }) => account.revokeAllAgents(),
  'POST /submitUsernameRequest': ({ account }) =>
    account.submitUsernameRequest({ requestedUsername: 'theta' }),
  'POST /settlement-payouts/seen': ({ account }) => account.setSettlementPayoutSeen({ ids: [1] }),
  'POST /referrals/code': ({ account }) => account.createReferralCode({ code: 'FRIENDS' }),
  'POST /referrals/set-referrer': ({ account }) =>
    account.setReferrer({ code: 'FRIENDS', referrer: context.wallet }),
  'POST /withdraw/usdc': ({ account }) =>
    account.withdrawUsdc({ account: context.wallet, destination: context.wallet, amount: '5' }),
  'POST /liquidation/standard-margin': ({ account }) => account.standardMarginLiquidationOrder(bid),
  'POST /push/subscribe': ({ account }) =>
    account.pushSubscribe({
      subscription: { endpoint: 'https://a', keys: { p256dh: '', auth: '' } },
    }),
  'POST /push/unsubscribe': ({ account }) => account.pushUnsubscribe({ endpoint: 'https://a' }),
  'POST /push/preferences': ({ account }) => account.pushPreferences({ fills: true }),
}

/** Other names for the same, and pages for people. */
const otherNames: Readonly<Record<string, string>> = {
  'DELETE /order_cloid': 'DELETE /order',
  'POST /orders': 'POST /bulk_order',
  'POST /orders/cancel': 'DELETE /bulk_order',
  'GET /historical-pnl': 'GET /profile/historical-pnl',
  'GET /competition/summary': 'GET /competition-metric-ranks',
  'GET /competition/leaderboard': 'GET /leaderboard',
  'GET /competition/account': 'GET /competition-metric-ranks',
}
const pages = ['GET /docs', 'GET /docs/', 'GET /docs/guides/', 'GET /app', 'GET /app/']

/** Says what it is asked for, and answers nothing. */
class PublishedRest extends RestClient {
  readonly asked: string[] = []

  override request<Answer>(method: string, path: string): Promise<Answer> {
    this.asked.push(`${method} ${path}`)
    return Promise.resolve({ data: {}, result: [] } as Answer)
  }
}

test('each operation of the interface has a method that requests it', async () => {
  const keys = operationsOf({ preset: 'development' }).map(({ key }) => key)
  const named = [...Object.keys(calls), ...Object.keys(otherNames), ...pages]
  assert.deepEqual([...named].sort(), [...keys].sort())
  for (const [key, call] of Object.entries(calls)) {
    const rest = new PublishedRest({ url: 'http://127.0.0.1:1' })
    await call(new StrikebookClient(rest, context, strikebook.createNonceSource(), 'Strikebook/1'))
    const isSame = rest.asked.some((asked) =>
      key.endsWith('/') && key !== 'GET /' ? asked.startsWith(key) : asked === key,
    )
    assert.ok(isSame, `${key}: asked for ${rest.asked}`)
  }
  for (const [other, key] of Object.entries(otherNames)) assert.ok(key in calls, `${other}: ${key}`)
})

const provided = JSON.stringify({ type: 'authenticated', wallet: context.wallet, capabilities: [] })
const identified = JSON.stringify({ type: 'Authenticated', wallet: context.wallet })

/** Starts a stream server that stores types of frames, and accepts every identification. */
async function startServer(types: Set<string>): Promise<WebSocketServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const { type, channel } = JSON.parse(data.toString()) as Record<string, string>
      types.add(type!)
      if (type === 'connect_quote_provider') socket.send(provided)
      if (type === 'Authenticate') socket.send(identified)
      if (type === 'Subscribe') socket.send(JSON.stringify({ type: 'Subscribed', channel }))
    }),
  )
  await once(server, 'listening')
  return server
}

test('each frame of a client or a provider has a method that sends it', async () => {
  const types = new Set<string>()
  const server = await startServer(types)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stream = new strikebook.StreamClient({ url, wallet: context.wallet })
  await stream.answered()
  stream.subscribe('trades')()
  const nonce = 1
  const sent: Promise<unknown>[] = [
    stream.clockSync(),
    stream.rateLimits(),
    stream.placeOrder(strikebook.signPlaceOrder(context, terms, nonce)),
    stream.replaceOrder(strikebook.signReplaceOrder(context, { orderId: 7, ...terms }, nonce)),
    stream.cancelOrder(strikebook.signCancelOrder(context, 7, nonce)),
    stream.cancelByClientId(strikebook.signCancelByClientId(context, 'grid-17', nonce)),
    stream.cancelAll(strikebook.signAction(context, 'CancelAll', { scope: 'all' }, nonce)),
    stream.setDeadMan(strikebook.signAction(context, 'SetDeadMan', { timeoutMs: 0 }, nonce)),
    stream.setCancelOnDisconnect(strikebook.signCancelOnDisconnect(context, true, nonce)),
    stream.submitRfq(strikebook.signRfqFrame(context, { rfqId, legs }, nonce)),
    stream.submitRfq(
      strikebook.signRfqFrame(context, { rfqId, legs, autoAcceptLimit: '1' }, nonce),
    ),
    stream.acceptRfqQuote(
      strikebook.signAcceptRfqQuote(context, { rfqId, quoteId, netPremium: '-1' }, nonce),
    ),
  ]
  const settled = Promise.allSettled(sent)
  const provider = await strikebook.QuoteProviderClient.connect({ url, context, nonce })
  provider.publish([])
  provider.publishScope('0'.repeat(32), [])
  provider.decline(rfqId)
  const wanted = [...frameTypes, ...Object.keys(providerFrames)].sort()
  while (types.size < wanted.length) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual([...types].sort(), wanted)
  stream.close()
  provider.close()
  assert.ok((await settled).every(({ status }) => status === 'rejected'))
  server.close()
})

/** Returns the public methods of a class. */
function methodsOf(prototype: object | null): readonly string[] {
  if (prototype === null || prototype === Object.prototype) return []
  const own = ['constructor', 'get', 'getOne', 'getMine', 'dataOfMine']
  const names = Object.getOwnPropertyNames(prototype).filter((name) => !own.includes(name))
  return [...names, ...methodsOf(Object.getPrototypeOf(prototype) as object | null)]
}

test('each function and method that the package exports has an example in its docs', () => {
  const rest = new PublishedRest({ url: 'http://127.0.0.1:1' })
  const client = new StrikebookClient(rest, context, strikebook.createNonceSource())
  const parts = Object.values(client).filter(
    (part) => typeof part === 'object' && Object.getPrototypeOf(part) !== Object.prototype,
  )
  const classes = Object.values(strikebook).filter(
    (value) => typeof value === 'function' && /^class /.test(String(value)),
  )
  const named = [
    ...Object.keys(strikebook).filter((name) => /^[a-z]/.test(name)),
    ...parts.flatMap((part) => methodsOf(Object.getPrototypeOf(part) as object)),
    ...classes
      .filter(({ name }) => !name.endsWith('Error'))
      .flatMap(({ prototype }) => methodsOf(prototype as object)),
    ...['connect'],
  ]
  const examples = clientExamples()
  const documented = new Set(examples.map(({ declared }) => declared))
  assert.deepEqual(
    named.filter((name) => !documented.has(name)),
    [],
  )
  const texts = examples.map(({ text }) => text).join('\n')
  assert.deepEqual(
    Object.keys(client.account).filter((name) => !texts.includes(`account.${name}(`)),
    shownElsewhere,
  )
})
