import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { frameTypes } from '../../gateway/ws/frames.js'
import { signedWrites } from '../../schemas/interface/writes.js'
import { newBrowser } from '../support/browser.js'
import { type DirectiveKey, directiveBody, nameWord } from './support/directive-body.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { perpOrderBody } from './support/perp-body.js'
import { acceptBody, quoteFrame, rfqBody, rfqFrame } from './support/rfq-body.js'
import * as bodies from './support/signed-body.js'
import { StreamPeer, streamPeers } from './support/stream-peer.js'
import { Venue, type Wire } from './support/venue.js'

// A client that retries before its first answer: both copies of a signed payload get the first result.

type Body = bodies.Body
const { WalletKey } = bodies
type Key = bodies.WalletKey

/** Signed write with its endpoint, its frame, or both. */
interface Write {
  readonly rest?: string
  readonly frame?: string
  /** Prepares the wallet and signs. A frame has the same fields unless `frameOf` changes them. */
  body(by: Key): Promise<Body>
  frameOf?(body: Body): Body
  /** Error code of this venue's answer; by default the write succeeds. */
  readonly code?: string
}

const operator = new WalletKey()
const venue = new Venue({
  arguments: [
    '--gateways=2',
    `--set=operator.signers=${operator.wallet}`,
    '--set=rfq.responseDeadlineMillis=20000',
  ],
})
const symbol = bodies.symbolOf('BTC', 110_000)
const { fundedWallet, place } = orderActions(venue, symbol)
const open = streamPeers(venue)
const legs = [{ instrument: symbol, side: 'Buy', size: '1' }]
const provider = new WalletKey()
let quoting: StreamPeer
let asset = 0
let count = 0

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol, 'BTC-PERP'])
  asset = (await venue.read('/exchange-info')).perps[0].asset
  await venue.set('/deposits', { wallet: provider.wallet, amount: '100000000' })
  await venue.set('/deposits', { wallet: operator.wallet, amount: '1000' })
  await venue.set('/tiers', { wallet: provider.wallet, tier: 'market_maker' })
  await venue.set('/quote-providers', { wallet: provider.wallet, status: 'active' })
  quoting = await StreamPeer.open(venue, '/quotes')
  await quoting.ask(await bodies.connectBody(provider), 'authenticated')
})
after(async () => {
  quoting.close()
  await venue.dispose()
})

async function resting(by: Key, patch: Body = {}): Promise<number> {
  return (await place(by, { symbol, price: '1000', ...patch })).order_id
}

/** Returns a new name for each call. */
const named = (word: string) => `${word}_${process.pid}_${++count}`

async function accepted(by: Key): Promise<Body> {
  const peer = await open()
  const frame = await rfqFrame(by, legs)
  peer.send(frame)
  const { rfq_id: rfqId } = frame
  const asked = await quoting.next(({ type, rfq_id: id }) => type === 'rfq_request' && id === rfqId)
  quoting.send(await quoteFrame(provider, asked, ['7000'], '-7000'))
  const { quotes } = await peer.next('RfqQuotes')
  return acceptBody(by, String(rfqId), quotes[0].quote_id, quotes[0].net_premium)
}

const directive = (key: DirectiveKey, action: (by: Key) => Body): Write => ({
  rest: `POST /v1/actions/${key}`,
  body: (by) => directiveBody(by, key, action(by)),
})
const perpTerms = (cloid = '76'): Body => ({
  ...{ asset, isBuy: true, limitPx: '9000000000000', sz: '1000000', reduceOnly: false },
  ...{ encodedTif: 2, cloid },
})
const tokens = () => newBrowser(`https://fcm.googleapis.com/fcm/send/${++count}`).subscription

const orderWrites: readonly Write[] = [
  {
    ...{ rest: 'POST /order', frame: 'PlaceOrder' },
    body: (by) => bodies.placeBody(by, { symbol, price: '1000' }),
  },
  {
    ...{ rest: 'PUT /order', frame: 'ReplaceOrder' },
    body: async (by) =>
      bodies.replaceBody(by, { symbol, order_id: await resting(by), price: '1001' }),
  },
  {
    ...{ rest: 'DELETE /order', frame: 'CancelOrder' },
    body: async (by) => bodies.cancelBody(by, { order_id: await resting(by) }),
  },
  {
    ...{ rest: 'DELETE /order_cloid', frame: 'CancelOrderByClientId' },
    async body(by) {
      await resting(by, { client_id: 'mine' })
      return bodies.cancelBody(by, { client_id: 'mine' })
    },
  },
  { rest: 'POST /order/debug', body: (by) => bodies.placeBody(by, { symbol, price: '1000' }) },
  ...['POST /bulk_order', 'POST /orders'].map((rest) => ({
    rest,
    body: async (by: Key) => ({ orders: [await bodies.placeBody(by, { symbol, price: '1000' })] }),
  })),
  {
    rest: 'PUT /bulk_order',
    async body(by) {
      const patch = { symbol, order_id: await resting(by), price: '1001' }
      return { replacements: [await bodies.replaceBody(by, patch)] }
    },
  },
  ...['DELETE /bulk_order', 'DELETE /bulk_order_cloid', 'POST /orders/cancel'].map((rest) => ({
    rest,
    async body(by: Key) {
      await resting(by, { client_id: 'mine' })
      return { cancels: [await bodies.cancelBody(by, { client_id: 'mine' })] }
    },
  })),
]

const perpWrites: readonly Write[] = [
  {
    rest: 'POST /perp-order',
    body: (by) => perpOrderBody(by, { a: asset, p: '90000', s: '0.01' }),
  },
  directive('hl_limit_order', () => perpTerms()),
  {
    rest: 'POST /v1/actions/hl_cancel_by_oid',
    async body(by) {
      const order = await perpOrderBody(by, { a: asset, p: '90000', s: '0.01' })
      const { body } = await venue.send('POST', '/perp-order', order)
      return directiveBody(by, 'hl_cancel_by_oid', { asset, oid: body.order_id })
    },
  },
  {
    rest: 'POST /v1/actions/hl_cancel_by_cloid',
    async body(by) {
      const order = await directiveBody(by, 'hl_limit_order', perpTerms('77'))
      await venue.send('POST', '/v1/actions/hl_limit_order', order)
      return directiveBody(by, 'hl_cancel_by_cloid', { asset, cloid: '77' })
    },
  },
  directive('hl_set_abstraction', (by) => ({ user: by.wallet, abstraction: 2 })),
  directive('hc_update_api_wallet', () => ({
    name: nameWord(`key${++count}`),
    addr: new WalletKey().wallet,
  })),
]

const limitLeft = (body: Body) => {
  const { auto_accept_limit, ...rest } = body
  return { ...rest, limit_price: auto_accept_limit }
}
const rfqWrites: readonly Write[] = [
  { rest: 'POST /rfq/request', frame: 'SubmitRfq', body: (by) => rfqBody(by, legs) },
  {
    ...{ rest: 'POST /rfq/request', frame: 'SubmitAutoExecuteRfq' },
    body: (by) => rfqBody(by, legs, '1'),
    frameOf: limitLeft,
  },
  { rest: 'POST /rfq/accept', frame: 'AcceptRfqQuote', body: accepted },
]

const agent = new WalletKey().wallet
const mmpTerms = { interval_ms: 1000, frozen_time_ms: 1000, qty_limit: '1' }
const accountWrites: readonly Write[] = [
  {
    ...{ rest: 'POST /cancel-all', frame: 'CancelAll' },
    async body(by) {
      await resting(by)
      return bodies.safetyBody(by, 'CancelAll', { scope: 'all' })
    },
  },
  {
    ...{ rest: 'POST /dead-man', frame: 'SetDeadMan' },
    body: (by) => bodies.safetyBody(by, 'SetDeadMan', { timeout_ms: 60_000 }),
  },
  {
    frame: 'SetCancelOnDisconnect',
    body: (by) => bodies.safetyBody(by, 'SetCancelOnDisconnect', { enabled: true }),
  },
  { rest: 'POST /margin-mode', body: (by) => bodies.marginModeBody(by, 'standard') },
  {
    rest: 'POST /self-trade-prevention',
    body: (by) => bodies.selfTradeBody(by, 'cancel_maker'),
  },
  { rest: 'POST /user-tier', body: (by) => bodies.tierBody(operator, by, 'tier2') },
  {
    rest: 'POST /mmp-config',
    body: (by) => bodies.mmpBody(by, 'SetMmpConfig', mmpTerms),
  },
  { rest: 'POST /mmp-config/reset', body: (by) => withMmp(by, 'ResetMmp') },
  { rest: 'DELETE /mmp-config', body: (by) => withMmp(by, 'DeleteMmpConfig') },
  { rest: 'POST /approve-agent', body: (by) => bodies.agentBody(by, 'ApproveAgent', { agent }) },
  { rest: 'DELETE /revoke-agent', body: (by) => withAgent(by, 'RevokeAgent', { agent }) },
  { rest: 'DELETE /revoke-all-agents', body: (by) => withAgent(by, 'RevokeAllAgents') },
  { rest: 'POST /submitUsernameRequest', body: (by) => bodies.usernameBody(by, named('n')) },
  {
    rest: 'POST /settlement-payouts/seen',
    body: (by) => bodies.payoutsSeenBody(by, { ids: [1] }),
  },
  { rest: 'POST /referrals/code', body: (by) => bodies.codeBody(by, named('C')) },
  {
    rest: 'POST /referrals/set-referrer',
    async body(by) {
      const [owner, code] = [await fundedWallet(), named('R')]
      await venue.send('POST', '/referrals/code', await bodies.codeBody(owner, code))
      return bodies.referrerBody(by, code, owner.wallet)
    },
  },
  { rest: 'POST /withdraw/usdc', body: (by) => bodies.withdrawBody(by, by.wallet, '5') },
  {
    rest: 'POST /push/subscribe',
    body: (by) => bodies.pushBody(by, 'subscribe', { subscription: tokens() }),
  },
  { rest: 'POST /push/unsubscribe', body: withPush('unsubscribe') },
  { rest: 'POST /push/preferences', body: withPush('preferences') },
  // There is no auction to bid in: both copies fail with the same error.
  { rest: 'POST /liquidation/standard-margin', body: bid, code: 'conflict' },
]

async function withMmp(by: Key, struct: 'ResetMmp' | 'DeleteMmpConfig'): Promise<Body> {
  await venue.send('POST', '/mmp-config', await bodies.mmpBody(by, 'SetMmpConfig', mmpTerms))
  return bodies.mmpBody(by, struct)
}

async function withAgent(by: Key, struct: 'RevokeAgent' | 'RevokeAllAgents', patch: Body = {}) {
  await venue.send('POST', '/approve-agent', await bodies.agentBody(by, 'ApproveAgent', { agent }))
  return bodies.agentBody(by, struct, patch)
}

function withPush(action: 'unsubscribe' | 'preferences') {
  return async (by: Key): Promise<Body> => {
    const subscription = tokens()
    await venue.send(
      'POST',
      '/push/subscribe',
      await bodies.pushBody(by, 'subscribe', { subscription }),
    )
    const terms = action === 'unsubscribe' ? { endpoint: subscription.endpoint } : { fills: false }
    return bodies.pushBody(by, action, terms)
  }
}

function bid(by: Key): Promise<Body> {
  const positions = [{ symbol, quantity: '-1', entry_price: '10' }]
  const auction = {
    ...{
      request_id: randomUUID(),
      auction_id: 'a',
      current_required_bid_usdc: '1',
      current_positions: positions,
    },
    ...{ current_portfolio_hash: `sha256:${'0'.repeat(64)}`, current_auction_version: 1 },
    ...{ current_auction_terms_hash: `sha256:${'0'.repeat(64)}` },
    current_valuation_timestamp_ms: 1,
  }
  return bodies.bidBody(by, { wallet: provider.wallet, full_liquidation: auction })
}

const writes = [...orderWrites, ...perpWrites, ...rfqWrites, ...accountWrites]

test('the table has every signed endpoint and every signed frame', () => {
  const rest = new Set(writes.map((write) => write.rest))
  assert.deepEqual(
    Object.keys(signedWrites).filter((key) => !rest.has(key)),
    [],
  )
  const frames = new Set(writes.map((write) => write.frame))
  const unsigned = ['ClockSync', 'Authenticate', 'Subscribe', 'Unsubscribe', 'GetRateLimits']
  const signed = frameTypes.filter((type) => !unsigned.includes(type))
  assert.deepEqual(
    signed.filter((type) => !frames.has(type)),
    [],
  )
})

for (const write of writes) {
  const { rest, frame, code } = write
  if (rest !== undefined) {
    test(`${rest} twice at once gets the first answer for both${frame ? ` (${frame})` : ''}`, async () => {
      const body = await write.body(await fundedWallet())
      const answers = await Promise.all([sent(rest, body), sent(rest, body)])
      for (const { status, text, body: answer } of answers) {
        assert.equal(answer.error ?? null, code ?? null, text)
        assert.equal(status === 200, code === undefined, text)
      }
      // The trace also describes the request itself.
      if (rest !== 'POST /order/debug') assert.equal(answers[1].text, answers[0].text)
    })
  }
  if (frame === undefined) continue
  const framed = (body: Body) => ({ type: frame, ...(write.frameOf ?? ((same) => same))(body) })
  test(`${frame} twice at once, on one connection or two, gets the first answer for both`, async () => {
    for (const isOne of [true, false]) {
      const body = await write.body(await fundedWallet())
      const first = await open()
      const second = isOne ? first : await open()
      first.send(framed(body))
      second.send(framed(body))
      const results = isOne
        ? await resultsOf(first, body, 2)
        : [...(await resultsOf(first, body, 1)), ...(await resultsOf(second, body, 1))]
      assert.deepEqual(results[1], results[0], `on one connection: ${isOne}`)
      assert.equal(results[0].type === 'Error', false, JSON.stringify(results[0]))
    }
  })
  if (rest === undefined) continue
  test(`${frame} and ${rest} at once get the first answer for both`, async () => {
    const body = await write.body(await fundedWallet())
    const peer = await open()
    peer.send(framed(body))
    const [answer, [result]] = await Promise.all([sent(rest, body), resultsOf(peer, body, 1)])
    assert.equal(answer.status, 200, answer.text)
    for (const name of ['order_id', 'fill_id', 'rfq_id', 'canceled']) {
      const shown = answer.body[name] ?? answer.body.data?.[name]
      if (shown !== undefined && name in result) assert.equal(result[name], shown, answer.text)
    }
  })
}

const sent = (rest: string, body: Body) => {
  const [method = '', path = ''] = rest.split(' ')
  return venue.send(method, path, body)
}

/** Returns the answers to the copies of a frame on a connection, without fields that differ by connection. */
async function resultsOf(peer: StreamPeer, body: Body, copies: number): Promise<Wire[]> {
  const { nonce, rfq_id: rfqId } = body
  // A request for quote is answered with its status: the first copy by the events, a retry once more.
  const isStatus = ({ type, rfq_id: id, status }: Wire) =>
    type === 'RfqStatusUpdate' && id === rfqId && status === 'sent_to_qps'
  const isAnswer = (message: Wire) => message.nonce === nonce && message.type !== 'ClockSynced'
  const matches = (message: Wire) => isAnswer(message) || isStatus(message)
  const found: Wire[] = []
  while (found.length < copies) found.push(await peer.next(matches, 3000))
  await peer.settle(0)
  const { length } = peer.messages.filter(matches)
  // A second connection that submits the request receives its events and its own answer.
  assert.ok(length === copies || found.every(isStatus), 'each copy has one answer')
  return found.map(({ bound, expires_at, seq, ...rest }) => rest)
}
