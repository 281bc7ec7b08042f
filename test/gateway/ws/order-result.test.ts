import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OrderRequest } from '../../../gateway/commands/order-request.js'
import { orderResult } from '../../../gateway/ws/order-result.js'
import type { MessageOf } from '../../../schemas/interface/streams.js'
import { parseOptionSymbol } from '../../../schemas/symbol.js'

const symbol = 'BTC-20991231-110000-C'
const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map(String.fromCharCode) })
const nonce = fc.oneof(fc.maxSafeNat(), fc.bigInt(0n, 2n ** 64n - 1n).map(String))
const detail = fc.oneof(printable, fc.maxSafeInteger(), fc.constant(null))

function orderOf(fields: Partial<OrderRequest>): OrderRequest {
  const option = parseOptionSymbol(symbol)
  assert.ok(typeof option !== 'string')
  const texts = { canonicalSymbol: symbol, side: 'Buy', price: '100.5', size: '2' }
  return Object.assign(new OrderRequest(new Uint8Array(20)), { option, ...texts, ...fields })
}

test('for any input of a client, the text is the JSON of its values, in order', () => {
  const cases = fc.record({
    clientId: printable,
    nonce,
    badSymbol: fc.option(printable),
    reason: fc.option(printable),
    code: fc.constantFrom(null, 'insufficient_margin'),
    details: fc.option(fc.dictionary(printable, detail)),
    status: fc.constantFrom('ACKED', 'FILLED', 'REJECTED'),
    orderId: fc.maxSafeNat(),
    filledLots: fc.nat(),
    isMmpTriggered: fc.boolean(),
    seq: fc.maxSafeNat(),
  })
  fc.assert(
    fc.property(cases, ({ clientId, nonce, badSymbol, reason, code, details, ...outcome }) => {
      const order = orderOf({
        clientId,
        nonce,
        ...(badSymbol === null ? {} : { option: null, canonicalSymbol: badSymbol }),
      })
      const { status, orderId, isMmpTriggered, seq } = outcome
      const isRejected = status === 'REJECTED'
      const bytes = orderResult(
        order,
        { ...outcome, timeMillis: 0, kept: null },
        { reason, code, details },
      )
      const text = Buffer.from(bytes).toString()
      const { filled_size: filledSize, ...values } = JSON.parse(text) as Record<string, unknown>
      assert.equal(Number(filledSize), isRejected ? 0 : outcome.filledLots / 1e8)
      const expected: Omit<MessageOf<'OrderResult'>, 'filled_size'> = {
        type: 'OrderResult',
        order_id: isRejected || orderId === 0 ? null : orderId,
        status,
        symbol: badSymbol ?? symbol,
        side: 'Buy',
        price: '100.5',
        size: '2',
        ...(reason === null ? {} : { reason }),
        nonce,
        client_id: clientId === '' ? null : clientId,
        reason_code: code,
        details: details === null ? null : JSON.parse(JSON.stringify(details)),
        mmp_triggered: isMmpTriggered,
        seq,
      }
      assert.deepEqual(values, expected)
      assert.deepEqual(Object.keys(values), Object.keys(expected))
    }),
  )
})
