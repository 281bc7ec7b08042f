import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { walletOf } from '../../../bench/event-script.js'
import { OrderFlag, RfqKind, RfqStatus } from '../../../schemas/domain.js'
import { OutcomeFlag, RfqQuoteChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { agent, owner } from '../../support/gateway-rig.js'
import { listedRig } from '../../support/hub-rig.js'
import { acceptBody, rfqFrame, rfqTerms } from '../../support/rfq-bodies.js'
import { emitComboFill, emitQuote, emitRfq, noTaker, rfqUuid } from '../../support/rfq-script.js'

const wallet = owner.address
const [rfqId, quoteId] = [rfqUuid(1), rfqUuid(2)]

function rigWithAccount() {
  const rig = listedRig()
  rig.script.account({ account: 0, wallet, cashMicros: 1 })
  rig.pump()
  const subscribed = (who = wallet) => {
    const connection = rig.connect(`wallet=${who}`)
    connection.say({ type: 'Subscribe', channel: 'rfq' })
    return connection
  }
  const decide = () => {
    rig.core.work()
    rig.pump()
  }
  return { ...rig, subscribed, decide }
}

/** Returns the RFQ messages in short form. */
function shortForms(messages: Record<string, unknown>[]): string[] {
  return messages.map(({ type, status, code, quotes }) => {
    const count = quotes === undefined ? '' : ` ${(quotes as unknown[]).length}`
    return `${type} ${status ?? code}${count}`
  })
}

test('only the subscribers of the taker receive each status and the live quotes', () => {
  const { script, pump, subscribed } = rigWithAccount()
  const mine = subscribed()
  const theirs = subscribed(walletOf(7))
  emitRfq(script, { rfqId, wallet, status: RfqStatus.Created })
  emitRfq(script, { rfqId, wallet, status: RfqStatus.SentToQps })
  pump()
  const [created] = mine.socket.take()
  assert.deepEqual(
    { ...created, timestamp: 0, seq: 0, expires_at: 0 },
    {
      ...{ type: 'RfqStatusUpdate', rfq_id: rfqId, status: 'created', taker_wallet: wallet },
      ...{ expires_at: 0, timestamp: 0, seq: 0 },
    },
  )
  emitQuote(script, { rfqId, quoteId, netPremiumMicros: -4_000_000 })
  emitRfq(script, { rfqId, wallet, status: RfqStatus.QuotesReceived })
  emitQuote(script, { rfqId, quoteId: rfqUuid(3), netPremiumMicros: -3_500_000 })
  pump()
  const messages = mine.socket.take()
  assert.deepEqual(shortForms(messages), [
    'RfqStatusUpdate quotes_received',
    'RfqQuotes quotes_received 2',
  ])
  const { quotes, taker_wallet } = messages[1]!
  assert.equal(taker_wallet, wallet)
  assert.deepEqual(
    (quotes as { quote_id: string; net_premium: string }[]).map((quote) => [
      quote.quote_id,
      quote.net_premium,
    ]),
    [
      [rfqUuid(3), '-3.5'],
      [quoteId, '-4'],
    ],
  )
  assert.deepEqual(theirs.socket.take(), [])
})

test('neither taker nor provider gets a message about an auction', () => {
  const { script, pump, subscribed } = rigWithAccount()
  const mine = subscribed()
  const theirs = subscribed(walletOf(0x99))
  const auction = { rfqId, wallet, kind: RfqKind.Auction }
  emitRfq(script, { ...auction, status: RfqStatus.Created })
  emitRfq(script, { ...auction, status: RfqStatus.SentToQps })
  emitQuote(script, { rfqId, quoteId, taker: noTaker })
  emitRfq(script, { ...auction, status: RfqStatus.QuotesReceived })
  emitRfq(script, { ...auction, status: RfqStatus.Executed, quoteId, fillId: 6 })
  pump()
  assert.deepEqual([...mine.socket.take(), ...theirs.socket.take()], [])
})

test('a quote in an auction cannot be accepted', async () => {
  const { script, pump, subscribed } = rigWithAccount()
  const mine = subscribed()
  emitRfq(script, { rfqId, wallet, kind: RfqKind.Auction, status: RfqStatus.QuotesReceived })
  emitQuote(script, { rfqId, quoteId, taker: noTaker })
  pump()
  mine.say({ type: 'AcceptRfqQuote', ...acceptBody(rfqId, quoteId, '3') })
  await setImmediate()
  assert.deepEqual(shortForms(mine.socket.take()), ['Error not_found'])
})

test('the remaining quotes show the end of one', () => {
  const { script, pump, subscribed } = rigWithAccount()
  const { socket } = subscribed()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.QuotesReceived })
  emitQuote(script, { rfqId, quoteId })
  pump()
  socket.take()
  emitQuote(script, { rfqId, quoteId, change: RfqQuoteChange.Withdrawn })
  pump()
  assert.deepEqual(shortForms(socket.take()), ['RfqQuotes quotes_received 0'])
  emitRfq(script, { rfqId, wallet, status: RfqStatus.Expired, reason: Result.RfqExpired })
  pump()
  const [expired] = socket.take()
  assert.deepEqual([expired!['status'], expired!['reason_code']], ['expired', 'rfq_expired'])
})

test('the submitting connection receives its request without a subscription', () => {
  const { script, pump, connect, core, decide } = rigWithAccount()
  const { socket, say } = connect()
  const terms = rfqTerms()
  const of = { rfqId: terms.rfqId, wallet }
  core.decide = () => {
    emitRfq(script, { ...of, status: RfqStatus.Created })
    emitRfq(script, { ...of, status: RfqStatus.SentToQps })
    return { side: RfqStatus.SentToQps }
  }
  assert.deepEqual(say(rfqFrame(terms)), [])
  decide()
  assert.deepEqual(shortForms(socket.take()), [
    'RfqStatusUpdate created',
    'RfqStatusUpdate sent_to_qps',
  ])
  emitQuote(script, { rfqId: terms.rfqId, quoteId })
  pump()
  assert.deepEqual(shortForms(socket.take()), ['RfqQuotes sent_to_qps 1'])
  emitRfq(script, { ...of, status: RfqStatus.Expired })
  emitRfq(script, { rfqId: rfqUuid(9), wallet, status: RfqStatus.Created })
  pump()
  assert.deepEqual(shortForms(socket.take()), ['RfqStatusUpdate expired'])
})

test('a connection that submits and subscribes gets each message once', () => {
  const { script, core, decide, subscribed } = rigWithAccount()
  const { socket, say } = subscribed()
  const terms = rfqTerms({ autoAcceptLimit: '5' })
  const of = { rfqId: terms.rfqId, wallet }
  core.decide = () => {
    emitRfq(script, { ...of, status: RfqStatus.NoQuotes, fallbackOrderId: 8 })
    return { side: RfqStatus.NoQuotes }
  }
  say(rfqFrame(terms))
  decide()
  const messages = socket.take()
  assert.deepEqual(shortForms(messages), ['RfqStatusUpdate no_quotes'])
  assert.equal(messages[0]!['fallback_order_id'], 8)
})

test('an agent unknown to the gateway gets the request after its acknowledgement', () => {
  const { script, core, decide, connect } = rigWithAccount()
  const { socket, say } = connect()
  const terms = rfqTerms()
  core.decide = () => {
    emitRfq(script, { rfqId: terms.rfqId, wallet, status: RfqStatus.SentToQps })
    return { side: RfqStatus.SentToQps }
  }
  say(rfqFrame(terms, agent))
  decide()
  assert.deepEqual(shortForms(socket.take()), ['RfqStatusUpdate sent_to_qps'])
  core.decide = () => ({ result: Result.Unauthorized })
  say(rfqFrame(rfqTerms({ rfqId: terms.rfqId }), agent))
  decide()
  assert.deepEqual(shortForms(socket.take()), ['Error unauthorized'])
})

test('subscribers, too, receive a rejected request as failed; only its connection receives an error', () => {
  const { core, decide, subscribed, connect } = rigWithAccount()
  const other = subscribed()
  const { socket, say } = connect()
  const refused = rfqTerms()
  core.decide = () => ({ result: Result.NoFunds, clientId: refused.rfqId })
  say(rfqFrame(refused))
  decide()
  const [failed] = socket.take()
  assert.deepEqual([failed!['status'], failed!['reason_code']], ['failed', 'no_funds'])
  assert.deepEqual(other.socket.take(), [failed])
  other.say(rfqFrame(rfqTerms()))
  decide()
  assert.deepEqual(shortForms(other.socket.take()), ['RfqStatusUpdate failed'])
  core.decide = () => ({ result: Result.RfqIdUsed })
  const terms = rfqTerms()
  say(rfqFrame(terms))
  decide()
  const [error] = socket.take()
  const { rfq_id, request_type } = error!
  assert.deepEqual([error!['code'], rfq_id, request_type], ['conflict', terms.rfqId, 'SubmitRfq'])
  assert.deepEqual(other.socket.take(), [])
})

test('the requester and the subscribers receive the answer of an acceptance, each once', () => {
  const { script, pump, core, decide, connect, subscribed } = rigWithAccount()
  const other = subscribed()
  const { socket, say } = connect()
  const both = subscribed()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.QuotesReceived })
  emitQuote(script, { rfqId, quoteId, netPremiumMicros: 3_000_000 })
  pump()
  for (const each of [other, both]) each.socket.take()
  const executed = { rfqId, wallet, quoteId, status: RfqStatus.Executed, fillId: 12 }
  core.decide = () => {
    emitRfq(script, executed)
    return { orderId: 12 }
  }
  const frame = { type: 'AcceptRfqQuote', ...acceptBody(rfqId, quoteId, '3') }
  say(frame)
  decide()
  const result = 'RfqAcceptResult executed'
  assert.deepEqual(shortForms(socket.take()), [result])
  assert.deepEqual(shortForms(other.socket.take()), [result, 'RfqStatusUpdate executed'])
  assert.deepEqual(shortForms(both.socket.take()), [result, 'RfqStatusUpdate executed'])
  core.decide = () => ({ orderId: 12, outcomeFlags: OutcomeFlag.Repeat })
  both.say(frame)
  decide()
  const [again] = both.socket.take()
  assert.deepEqual([again!['type'], again!['fill_id']], ['RfqAcceptResult', '12'])
})

test('two copies of an acceptance in flight have an answer each, and another nonce an error', () => {
  const { script, pump, core, decide, connect, subscribed } = rigWithAccount()
  const other = subscribed()
  const { socket, say } = connect()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.QuotesReceived })
  emitQuote(script, { rfqId, quoteId, netPremiumMicros: 3_000_000 })
  pump()
  other.socket.take()
  const frame = { type: 'AcceptRfqQuote', ...acceptBody(rfqId, quoteId, '3') }
  const late = { type: 'AcceptRfqQuote', ...acceptBody(rfqId, quoteId, '3') }
  for (const each of [frame, frame, late]) say(each)
  let decided = 0
  core.decide = () => {
    decided++
    if (decided === 2) return { orderId: 12, outcomeFlags: OutcomeFlag.Repeat }
    if (decided === 3) return { result: Result.RfqAlreadyFilled }
    emitRfq(script, { rfqId, wallet, quoteId, status: RfqStatus.Executed, fillId: 12 })
    return { orderId: 12 }
  }
  decide()
  const answers = socket.take()
  const result = 'RfqAcceptResult executed'
  assert.deepEqual(shortForms(answers), [result, result, 'Error rfq_already_filled'])
  const nonces = answers.map(({ nonce }) => nonce)
  assert.deepEqual(
    nonces,
    [frame, frame, late].map((each) => each['nonce' as 'type']),
  )
  const [heard, ...rest] = other.socket.take()
  assert.deepEqual(shortForms([heard!, ...rest]), [result, 'RfqStatusUpdate executed'])
  assert.equal('nonce' in heard!, false, 'another connection has sent no command')
})

test('a quote that the book has dropped is found in the history', async () => {
  const { core, decide, state, connect } = rigWithAccount()
  const { socket, say } = connect()
  const asked: string[] = []
  state.queryHistory = async (path, query) => {
    asked.push(`${path}?${query}`)
    return { status: 200, body: '{"data":3000000}' }
  }
  core.decide = () => ({ orderId: 12, outcomeFlags: OutcomeFlag.Repeat })
  assert.deepEqual(say({ type: 'AcceptRfqQuote', ...acceptBody(rfqId, quoteId, '3') }), [])
  await setImmediate()
  decide()
  assert.deepEqual(asked, [`quote-premium?rfq_id=${rfqId}&quote_id=${quoteId}`])
  assert.equal(core.seen[0]!.rfq!.netPremiumMicros, 3_000_000)
  assert.equal(core.seen[0]!.signer, wallet)
  assert.deepEqual(shortForms(socket.take()), ['RfqAcceptResult executed'])
  state.queryHistory = async () => ({ status: 200, body: '{"data":null}' })
  say({ type: 'AcceptRfqQuote', ...acceptBody(rfqId, quoteId, '3') })
  await setImmediate()
  const [error] = socket.take()
  assert.deepEqual([error!['code'], error!['rfq_id']], ['not_found', rfqId])
  state.queryHistory = async () => ({ status: 503, body: '{}' })
  say({ type: 'AcceptRfqQuote', ...acceptBody(rfqId, quoteId, '3') })
  await setImmediate()
  assert.deepEqual(shortForms(socket.take()), ['Error not_ready'])
})

test('insufficient margin of a provider ends its quote: the acceptance has failed for all', () => {
  const { script, pump, core, decide, connect, subscribed } = rigWithAccount()
  const other = subscribed()
  const { socket, say } = connect()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.QuotesReceived })
  emitQuote(script, { rfqId, quoteId, netPremiumMicros: 3_000_000 })
  pump()
  other.socket.take()
  core.decide = () => {
    emitQuote(script, { rfqId, quoteId, change: RfqQuoteChange.MarginRejected })
    return { result: Result.QuoteNotBorne }
  }
  say({ type: 'AcceptRfqQuote', ...acceptBody(rfqId, quoteId, '3') })
  decide()
  assert.deepEqual(shortForms(socket.take()), ['RfqAcceptResult failed'])
  assert.deepEqual(shortForms(other.socket.take()), [
    'RfqAcceptResult failed',
    'RfqQuotes quotes_received 0',
  ])
})

test('insufficient margin of a taker ends its request, and the acceptance has failed for all', () => {
  const { script, pump, core, decide, connect, subscribed } = rigWithAccount()
  const other = subscribed()
  const { socket, say } = connect()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.QuotesReceived })
  emitQuote(script, { rfqId, quoteId, netPremiumMicros: 3_000_000 })
  pump()
  other.socket.take()
  core.decide = () => {
    const failed = { rfqId, wallet, quoteId, status: RfqStatus.Failed }
    emitRfq(script, { ...failed, reason: Result.InsufficientMargin })
    return { result: Result.InsufficientMargin }
  }
  say({ type: 'AcceptRfqQuote', ...acceptBody(rfqId, quoteId, '3') })
  decide()
  const [result] = socket.take()
  assert.deepEqual(shortForms([result!]), ['RfqAcceptResult failed'])
  assert.deepEqual([result!['fill_id'], result!['reason_code']], [null, 'insufficient_margin'])
  assert.deepEqual(shortForms(other.socket.take()), [
    'RfqAcceptResult failed',
    'RfqStatusUpdate failed',
  ])
})

test('a fill of a combo names its request and its quote', () => {
  const { script, pump, connect } = rigWithAccount()
  const { socket, say } = connect(`wallet=${wallet}`)
  say({ type: 'Subscribe', channel: 'fills' })
  emitComboFill(script, wallet, 3, rfqId, quoteId)
  pump()
  const [fill] = socket.take()
  assert.deepEqual(fill!['fill_source'], { type: 'rfq', rfq_id: rfqId, quote_id: quoteId })
  assert.equal(fill!['is_taker'], true)
})

test('a fill of an auction also names its order, like any fill of it', () => {
  const { script, pump, connect } = rigWithAccount()
  const { socket, say } = connect(`wallet=${wallet}`)
  say({ type: 'Subscribe', channel: 'fills' })
  const order = { orderId: 77, clientIdText: 'mine', cumFilledLots: 100_000_000 }
  emitComboFill(script, wallet, 3, rfqId, quoteId, {
    ...{ ...order, flags: OrderFlag.HasBuilder, builderFeeMicros: 5 },
  })
  pump()
  const [fill] = socket.take()
  const { fill_source, order_id, client_id, builder_code_fee } = fill!
  assert.deepEqual(
    [fill_source, order_id, client_id, builder_code_fee],
    [{ type: 'rfq', rfq_id: rfqId, quote_id: quoteId }, 77, 'mine', '0.000005'],
  )
})
