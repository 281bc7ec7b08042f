import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../bench/event-script.js'
import { signRfqQuote } from '../../../gateway/client/signed-actions.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { FloodCloses } from '../../../gateway/limits/flood-close.js'
import { ProviderSession } from '../../../gateway/providers/provider-session.js'
import { RfqService } from '../../../gateway/providers/rfq-service.js'
import { RfqKind, RfqStatus, Side } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { EventType, RfqEvent, RfqQuoteEvent } from '../../../schemas/generated/events.js'
import { RfqQuoteChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { signingDomains } from '../../../schemas/typed-data.js'
import { FakeSocket } from '../../support/fake-socket.js'
import { testConfig, testSymbol } from '../../support/gateway-rig.js'
import { listedRig, otherSymbol } from '../../support/hub-rig.js'
import { emitQuote, emitRfq, noTaker, rfqUuid } from '../../support/rfq-script.js'

const taker = walletOf(1)
const [rfqId, quoteId] = [rfqUuid(1), rfqUuid(2)]
const signer = createSigner('44'.repeat(32))
/** The provider of all quotes that the tests tell of. */
const quoting = walletOf(0x99)
const domain = signingDomains('Strikebook', 31_337).options
const rfqEvent = new RfqEvent()
const quoteEvent = new RfqQuoteEvent()

function digestRig() {
  const rig = listedRig()
  const { stream, quotes } = testConfig()
  const sessions: ProviderSession[] = []
  const service = new RfqService(rig.context, (wallet) =>
    sessions.filter((session) => session.wallet === wallet),
  )
  const onEvent = rig.hub.onEvent.bind(rig.hub)
  rig.hub.onEvent = (event) => {
    onEvent(event)
    if (event.recordType === EventType.Rfq) service.onRfq(rfqEvent.of(event))
    if (event.recordType === EventType.RfqQuote) service.onQuote(quoteEvent.of(event))
  }
  const pump = () => {
    rig.pump()
    service.flush()
  }
  const provider = (wallet: string) => {
    const socket = new FakeSocket()
    const session = new ProviderSession(
      socket,
      sessions.length,
      { ...stream, ...quotes },
      0,
      new FloodCloses(),
    )
    session.open(wallet, 0)
    sessions.push(session)
    const say = (frame: object) => {
      service.take(session, Buffer.from(JSON.stringify(frame)))
      rig.core.work()
      pump()
      return socket.take()
    }
    return { socket, say }
  }
  const invite = (kind: RfqKind = RfqKind.Plain) => {
    emitRfq(rig.script, {
      ...{ rfqId, wallet: taker, status: RfqStatus.Created, kind },
      limitMicros: kind === RfqKind.Auto ? 3_600_000_000 : 0,
    })
    const change = RfqQuoteChange.Invited
    emitQuote(rig.script, { rfqId, quoteId: rfqUuid(0), change, pricesMicros: [] })
    emitRfq(rig.script, { rfqId, wallet: taker, status: RfqStatus.SentToQps })
    pump()
  }
  return { ...rig, service, pump, provider, invite }
}

const legs = [
  { instrument: testSymbol, side: 'buy', size: '1', price: '7000' },
  { instrument: otherSymbol, side: 'sell', size: '2', price: '1.0000009' },
]
const terms = { rfqId, legs, netPremium: '-6998', validForMillis: 5000 }
const quoteOf = (changes: object = {}) =>
  signRfqQuote({ domain, signer, wallet: signer.address }, { ...terms, ...changes }, 1)

test('an invitation reaches every session of an invited provider, and nobody else', () => {
  const { provider, invite } = digestRig()
  const [one, other] = [provider(quoting), provider(quoting)]
  const stranger = provider(walletOf(5))
  invite(RfqKind.Auto)
  const [request] = one.socket.take()
  assert.deepEqual(other.socket.take(), [request])
  assert.deepEqual(stranger.socket.take(), [])
  const { request_timestamp, ...rest } = request!
  assert.equal(typeof request_timestamp, 'number')
  assert.deepEqual(rest, {
    ...{ type: 'rfq_request', rfq_id: rfqId, taker_wallet: taker, response_deadline_ms: 5000 },
    legs: [
      { instrument: testSymbol, side: 'buy', size: '1' },
      { instrument: otherSymbol, side: 'sell', size: '2' },
    ],
    ...{ auto_execute: true, auto_accept_limit: '3600', taker_limit_price: '3600' },
    requires_price_improvement: false,
  })
})

test('an auction names nobody, and states the limit only if it is the price to beat', () => {
  const { provider, script, pump } = digestRig()
  const { socket } = provider(quoting)
  const auctionOf = (number: number, mustImprove: number) => {
    const created = { wallet: taker, status: RfqStatus.Created, kind: RfqKind.Auction }
    emitRfq(script, {
      ...{ ...created, rfqId: rfqUuid(number), legs: [[0, Side.Sell, 250_000_001]] },
      ...{ limitMicros: 3_310_000_000, referenceMicros: 3_300_000_000, tickMicros: 100 },
      ...{ mustImprove, responseMillis: script.timeMillis + 250 },
    })
    const invited = { change: RfqQuoteChange.Invited, taker: noTaker, pricesMicros: [] }
    emitQuote(script, { rfqId: rfqUuid(number), quoteId: rfqUuid(0), ...invited })
    pump()
    const [{ request_timestamp, ...request }] = socket.take() as [Record<string, unknown>]
    assert.equal(typeof request_timestamp, 'number')
    return request
  }
  const asked = {
    ...{ type: 'rfq_request', taker_wallet: `0x${'0'.repeat(40)}` },
    legs: [{ instrument: testSymbol, side: 'sell', size: '2.50000001' }],
    ...{ response_deadline_ms: 250, auction_deadline_ms: 250, auto_execute: true },
    ...{ reference_price: '3300', min_improvement_tick: '0.0001' },
  }
  assert.deepEqual(auctionOf(1, 1), {
    ...{ ...asked, rfq_id: rfqUuid(1), requires_price_improvement: true },
  })
  assert.deepEqual(auctionOf(2, 0), {
    ...{ ...asked, rfq_id: rfqUuid(2), requires_price_improvement: false },
    ...{ auto_accept_limit: '8275.0000331', taker_limit_price: '3310' },
  })
})

test('providers invited to an auction are notified once that another has won it', () => {
  const { provider, script, pump } = digestRig()
  const [winner, other] = [provider(quoting), provider(walletOf(5))]
  const auction = { rfqId, wallet: taker, kind: RfqKind.Auction }
  const quoted = { rfqId, taker: noTaker, pricesMicros: [1_000_000] }
  emitRfq(script, { ...auction, status: RfqStatus.Created, legs: [[0, Side.Buy, 1]] })
  for (const invited of [quoting, walletOf(5)]) {
    const change = RfqQuoteChange.Invited
    emitQuote(script, { ...quoted, quoteId: rfqUuid(0), change, provider: invited })
  }
  emitQuote(script, { ...quoted, quoteId })
  emitRfq(script, { ...auction, status: RfqStatus.Executed, quoteId, fillId: 1 })
  pump()
  const types = (socket: FakeSocket) => socket.take().map(({ type }) => type)
  assert.deepEqual(types(winner.socket), ['rfq_request'])
  assert.deepEqual(types(other.socket), ['rfq_request', 'rfq_already_filled'])
})

test('a quote reaches the engine with its signer, truncated; its acceptance is not published', () => {
  const { provider, core } = digestRig()
  const { say } = provider(signer.address)
  assert.deepEqual(say(quoteOf()), [])
  const { type, wallet, signer: by } = core.seen[0]!
  assert.deepEqual([type, wallet, by], [CommandType.QuoteRfq, signer.address, signer.address])
})

test('a quote with an impossible signature reaches the engine without a signer, which fails it in order', () => {
  const { provider, core } = digestRig()
  const { say } = provider(signer.address)
  core.decide = () => ({ result: Result.RfqClosed })
  const unsigned = '0x0000000000000000000000000000000000000000'
  for (const frame of [
    { ...quoteOf(), signature: '0x12' },
    { ...quoteOf(), net_premium: 'much' },
  ]) {
    const [error] = say(frame)
    assert.deepEqual([error!['type'], error!['code']], ['error', 'rfq_closed'])
    assert.equal(error!['rfq_id'], rfqId)
    assert.equal(core.seen.at(-1)!.signer, unsigned)
  }
})

test('a frame that is not an answer never reaches the engine', () => {
  const { provider, core } = digestRig()
  const { say } = provider(signer.address)
  const errorOf = (changes: object) => say({ ...quoteOf(), ...changes })[0]!
  const codeOf = (changes: object) => errorOf(changes)['code']
  assert.equal(codeOf({ rfq_id: 'x' }), 'invalid_field')
  assert.equal(codeOf({ legs: undefined }), 'missing_field')
  assert.equal(codeOf({ legs: [{ instrument: testSymbol }] }), 'missing_field')
  assert.equal(codeOf({ nonce: -1 }), 'invalid_parameter')
  assert.equal(codeOf({ valid_for_ms: 1.5 }), 'invalid_field')
  for (const changes of [{ action: 'accept' }, { action: 'accept', legs: undefined }]) {
    const { code, message } = errorOf(changes)
    assert.deepEqual([code, message], ['invalid_field', 'Invalid action: must be quote or decline'])
  }
  assert.equal(errorOf({ action: undefined })['message'], 'Missing field: action')
  assert.equal(core.seen.length, 0)
})

test('an error about a frame names the request of the frame, if any', () => {
  const { say } = digestRig().provider(signer.address)
  const idOf = (changes: object) => say({ ...quoteOf(), ...changes })[0]!['rfq_id']
  assert.equal(idOf({ legs: undefined }), rfqId)
  assert.equal(idOf({ valid_for_ms: -1 }), rfqId)
  assert.equal(idOf({ rfq_id: 'x'.repeat(65) }), 'x'.repeat(64))
  assert.equal(idOf({ rfq_id: 5 }), undefined)
})

test('a decline contains only its provider', () => {
  const { provider, core } = digestRig()
  const { say } = provider(signer.address)
  assert.deepEqual(say({ type: 'rfq_response', rfq_id: rfqId, action: 'decline' }), [])
  assert.deepEqual(
    [core.seen[0]!.type, core.seen[0]!.wallet],
    [CommandType.DeclineRfq, signer.address],
  )
  core.decide = () => ({ result: Result.RfqUnknown })
  const [error] = say({ type: 'rfq_response', rfq_id: rfqId, action: 'decline' })
  assert.equal(error!['code'], 'not_found')
})

test('a quote without margin gets a margin rejection, and no other error', () => {
  const { provider, core, script, invite } = digestRig()
  const { socket, say } = provider(quoting)
  invite()
  socket.take()
  core.decide = () => {
    const change = RfqQuoteChange.MarginRejected
    emitQuote(script, { rfqId, quoteId, change, reason: Result.InsufficientCash })
    return { result: Result.InsufficientCash }
  }
  assert.deepEqual(say(quoteOf()), [
    {
      ...{ type: 'qp_margin_rejection', rfq_id: rfqId, quote_id: quoteId },
      reason: 'Insufficient cash (Standard): needed=0, available=0',
    },
  ])
})

test('all other invited providers are notified once of the fill', () => {
  const { provider, script, pump, invite } = digestRig()
  const filler = provider(quoting)
  invite()
  const other = provider(walletOf(5))
  const change = RfqQuoteChange.Invited
  emitQuote(script, { rfqId, quoteId: rfqUuid(0), change, pricesMicros: [], provider: walletOf(5) })
  emitQuote(script, { rfqId, quoteId })
  emitRfq(script, { rfqId, wallet: taker, status: RfqStatus.Executed, quoteId, fillId: 1 })
  pump()
  const types = (socket: FakeSocket) => socket.take().map(({ type }) => type)
  assert.deepEqual(types(filler.socket), ['rfq_request'])
  const [, filled] = other.socket.take()
  assert.deepEqual(filled, {
    ...{ type: 'rfq_already_filled', rfq_id: rfqId, filled_by_quote_id: quoteId },
  })
})
