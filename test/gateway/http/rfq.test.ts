import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { RfqKind, RfqStatus } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import type { WriteAnswer } from '../../support/account-write-rig.js'
import { agent, type GatewayRig, owner, startRig, testSymbol } from '../../support/gateway-rig.js'
import { otherSymbol } from '../../support/hub-rig.js'
import { acceptBody, rfqBody, rfqTerms, stranger } from '../../support/rfq-bodies.js'
import { emitQuote, emitRfq, rfqUuid } from '../../support/rfq-script.js'

let rig: GatewayRig
before(async () => {
  rig = await startRig()
})
beforeEach(() => {
  rig.core.decide = () => ({})
  rig.core.seen.length = 0
})
after(() => rig.stop())

async function post(path: string, body: object) {
  const response = await rig.request('POST', path, body)
  return {
    status: response.status,
    headers: response.headers,
    value: (await response.json()) as WriteAnswer['value'],
  }
}

test('a request is answered with its result, and counts as an order', async () => {
  rig.core.decide = () => ({ side: RfqStatus.SentToQps })
  const terms = rfqTerms({ autoAcceptLimit: '3600' })
  const { status, value, headers } = await post('/rfq/request', rfqBody(terms))
  const { seq, created_at, ...rest } = value
  assert.equal(status, 200)
  assert.deepEqual(rest, {
    rfq_id: terms.rfqId,
    status: 'sent_to_qps',
    underlying: 'BTC',
    legs: [
      { instrument: testSymbol, side: 'Buy', size: '1' },
      { instrument: otherSymbol, side: 'Sell', size: '2.5' },
    ],
    quotes: [],
    expires_at: created_at + 30_000,
  })
  assert.equal(typeof seq, 'number')
  assert.ok(Number(headers.get('x-ratelimit-limit')) > 0)
  const { type, rfq, wallet, signer } = rig.core.seen[0]!
  assert.deepEqual([type, wallet, signer], [CommandType.SubmitRfq, owner.address, owner.address])
  assert.deepEqual([rfq!.rfqId, rfq!.kind, rfq!.limitMicros], [terms.rfqId, RfqKind.Auto, 3.6e9])
})

test('a request that a trading rule rejects has status failed; used ids and nonces conflict', async () => {
  rig.core.decide = () => ({ result: Result.RfqLimit, details: [20] })
  const full = await post('/rfq/request', rfqBody(rfqTerms()))
  assert.equal(full.status, 200)
  const { status, reason, reason_code } = full.value
  assert.deepEqual(
    [status, reason, reason_code],
    ['failed', 'Limit exceeded: at most 20 open RFQs are allowed', 'limit_exceeded'],
  )
  for (const [result, http, code] of [
    [Result.RfqIdUsed, 409, 'conflict'],
    [Result.NonceUsed, 409, 'conflict'],
    [Result.RfqLimitContradicts, 400, 'invalid_field'],
    [Result.Unauthorized, 401, 'unauthorized'],
    [Result.NoAccount, 403, 'no_account'],
  ] as const) {
    rig.core.decide = () => ({ result })
    const refused = await post('/rfq/request', rfqBody(rfqTerms()))
    assert.deepEqual([refused.status, refused.value.code], [http, code])
  }
})

test('a signature over other content fails, or is that of a stranger', async () => {
  const changed = rfqBody(rfqTerms(), owner, { rfq_id: rfqUuid(5) })
  rig.core.decide = () => ({ result: Result.Unauthorized })
  assert.equal((await post('/rfq/request', changed)).value.code, 'unauthorized')
  const malformed = rfqBody(rfqTerms(), owner, { signature: '0x12' })
  assert.equal((await post('/rfq/request', malformed)).value.code, 'signature_verification_failed')
})

test('an acceptance is signed over the premium of the quote', async () => {
  const [rfqId, quoteId] = [rfqUuid(20), rfqUuid(21)]
  const request = { rfqId, wallet: owner.address }
  emitRfq(rig.core.script, { ...request, status: RfqStatus.SentToQps })
  emitQuote(rig.core.script, { rfqId, quoteId, netPremiumMicros: -3_595_000_000 })
  // Nobody wakes the gateway: it reads of the quote when it is asked for it.
  rig.core.script.commit()
  rig.core.decide = () => ({ orderId: 77 })
  const { status, value } = await post('/rfq/accept', acceptBody(rfqId, quoteId, '-3595', agent))
  const { seq, ...rest } = value
  assert.equal(status, 200)
  assert.deepEqual(rest, { rfq_id: rfqId, quote_id: quoteId, status: 'executed', fill_id: '77' })
  const { type, rfq, signer } = rig.core.seen[0]!
  assert.deepEqual([type, signer], [CommandType.AcceptRfqQuote, agent.address])
  assert.deepEqual(
    [rfq!.rfqId, rfq!.quoteId, rfq!.netPremiumMicros],
    [rfqId, quoteId, -3_595_000_000],
  )
  await post('/rfq/accept', acceptBody(rfqId, quoteId, '-3594', agent))
  assert.notEqual(rig.core.seen[1]!.signer, agent.address)
})

test('an acceptance that a trading rule rejects has status failed and no fill', async () => {
  const [rfqId, quoteId] = [rfqUuid(30), rfqUuid(31)]
  emitRfq(rig.core.script, { rfqId, wallet: owner.address, status: RfqStatus.SentToQps })
  emitQuote(rig.core.script, { rfqId, quoteId, netPremiumMicros: 1_000_000 })
  rig.core.tell()
  rig.core.decide = () => ({ result: Result.QuoteNotBorne })
  const { status, value } = await post('/rfq/accept', acceptBody(rfqId, quoteId, '1'))
  assert.equal(status, 200)
  assert.deepEqual([value.status, value.fill_id], ['failed', ''])
  assert.equal(value.reason_code, 'qp_margin_rejection')
  for (const [result, http, code] of [
    [Result.RfqUnknown, 404, 'not_found'],
    [Result.RfqClosed, 409, 'rfq_closed'],
    [Result.QuoteExpired, 409, 'conflict'],
  ] as const) {
    rig.core.decide = () => ({ result })
    const refused = await post('/rfq/accept', acceptBody(rfqId, quoteId, '1'))
    assert.deepEqual([refused.status, refused.value.code], [http, code])
  }
})

test('an unknown request is not found, for any signer', async () => {
  const { status, value } = await post(
    '/rfq/accept',
    acceptBody(rfqUuid(40), rfqUuid(41), '1', stranger),
  )
  assert.deepEqual([status, value.code], [404, 'not_found'])
  assert.equal(rig.core.seen.length, 0)
})
