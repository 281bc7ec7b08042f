import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HaltMode } from '../../../../schemas/domain.js'
import { Result } from '../../../../schemas/results.js'
import { cashOf, RfqRig, type RigQuote, spread, taker } from '../../../support/rfq-rig.js'

const good: RigQuote = { id: 1, provider: 2, legs: spread, prices: [6900, 3300] }

/** An open request with quotes of both providers, the better one last. */
function quoted(quote: Partial<RigQuote> = {}): RfqRig {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread })
  rig.quote({ ...good, ...quote })
  rig.quote({ ...good, ...quote, provider: 3, prices: [6880, 3300] })
  rig.story()
  return rig
}

/** Returns the answer to an acceptance. */
function answerTo(rig: RfqRig, request: number): string {
  const found = rig.story().find((line) => line.startsWith(`${request}: `))!
  return found.slice(`${request}: `.length)
}

test('an acceptance needs a live quote of an open request of the wallet', () => {
  const rig = quoted()
  const unknown = { id: new Uint8Array(16), net: -3580 }
  assert.equal(answerTo(rig, rig.accept(9)), 'RfqUnknown')
  assert.equal(answerTo(rig, rig.accept(1, rig.quotes[0], { wallet: 4 })), 'RfqUnknown')
  assert.equal(answerTo(rig, rig.accept(1, unknown)), 'QuoteUnknown')
  const other = { ...rig.quotes[0]!, net: -3500 }
  assert.equal(answerTo(rig, rig.accept(1, other)), 'SignatureFailed')
  assert.equal(answerTo(rig, rig.accept(1, rig.quotes[0])), 'Accepted fill 1')
  assert.equal(answerTo(rig, rig.accept(1, rig.quotes[1])), 'RfqAlreadyFilled')
  assert.equal(answerTo(rig, rig.accept(1, rig.quotes[1], { wallet: 4 })), 'RfqUnknown')
  assert.equal(cashOf(rig, taker), 1_000_000 - 3600)
})

test('a duplicate acceptance gets the first answer', () => {
  const rig = quoted()
  assert.equal(answerTo(rig, rig.accept(1, rig.quotes[0], { nonce: 5 })), 'Accepted fill 1')
  assert.equal(answerTo(rig, rig.accept(1, rig.quotes[0], { nonce: 5 })), 'Accepted again fill 1')
  assert.equal(cashOf(rig, taker), 1_000_000 - 3600)
})

test('a replaced or withdrawn quote is unknown', () => {
  const rig = quoted()
  rig.quote({ ...good, prices: [6890, 3300] })
  rig.decline(1, 3)
  rig.story()
  assert.equal(answerTo(rig, rig.accept(1, rig.quotes[0])), 'QuoteUnknown')
  assert.equal(answerTo(rig, rig.accept(1, rig.quotes[1])), 'QuoteUnknown')
  assert.equal(answerTo(rig, rig.accept(1, rig.quotes[2])), 'Accepted fill 1')
})

test('a quote is valid to the end of its last millisecond, and then has expired', () => {
  const rig = quoted({ validMillis: 2000 })
  rig.nowMillis += 2000
  const early = quoted({ validMillis: 2000 })
  early.nowMillis += 2000
  assert.equal(answerTo(early, early.accept(1)), 'Accepted fill 1')
  rig.nowMillis += 1
  const late = rig.accept(1)
  assert.deepEqual(rig.story(), [
    'Expired 2 at -3600',
    'Expired 3 at -3580',
    `${late}: QuoteExpired`,
  ])
})

test('a request accepts an acceptance in its last millisecond', () => {
  const rig = quoted()
  rig.nowMillis += 30_000
  assert.equal(answerTo(rig, rig.accept(1)), 'Accepted fill 1')
})

test('after the quoting time, the request ends with the last provider that lacks margin for its quote', () => {
  const rig = quoted()
  for (const account of [1, 2]) rig.state.risk.creditCash(account, -999_999e6)
  assert.deepEqual(rig.after(5001), [])
  assert.equal(answerTo(rig, rig.accept(1)), 'QuoteNotBorne')
  assert.equal(rig.state.rfqs.count, 1)
  const request = rig.accept(1, rig.quotes[0])
  assert.deepEqual(rig.story(), [
    'MarginRejected 2 at -3600 InsufficientMargin',
    'rfq 1 expired RfqExpired',
    `${request}: QuoteNotBorne`,
  ])
})

test('a quote from before a halt cannot be accepted, neither during the halt nor after it', () => {
  for (const mode of [HaltMode.CancelOnly, HaltMode.Halted]) {
    const rig = quoted()
    rig.halt(mode, 'BTC')
    assert.equal(answerTo(rig, rig.accept(1)), 'RfqClosed')
    rig.halt(HaltMode.Open, 'BTC')
    assert.equal(answerTo(rig, rig.accept(1)), 'RfqClosed')
  }
})

test('a provider that lacks margin for its quote loses it, and the others stay', () => {
  const rig = quoted()
  rig.state.risk.creditCash(2, -999_999e6)
  const request = rig.accept(1)
  assert.deepEqual(rig.story(), [
    'MarginRejected 3 at -3580 InsufficientMargin',
    `${request}: QuoteNotBorne`,
  ])
  assert.equal(answerTo(rig, rig.accept(1, rig.quotes[0])), 'Accepted fill 1')
})

test('a taker that lacks margin loses the request, and receives its margin', () => {
  const rig = quoted()
  rig.state.risk.creditCash(0, -999_000e6)
  const request = rig.accept(1)
  const outcome = rig.outcome(request)
  assert.equal(outcome['result'], Result.InsufficientCash)
  assert.equal(rig.state.rfqs.count, 0)
  assert.equal(answerTo(rig, rig.accept(1)), 'RfqClosed')
})

test('a request ends with its last millisecond, and with its last quote after the quoting time', () => {
  const rig = quoted()
  rig.nowMillis += 29_999
  assert.deepEqual(rig.story(), [])
  assert.deepEqual(rig.after(2), [
    'Expired 2 at -3600',
    'Expired 3 at -3580',
    'rfq 1 expired RfqExpired',
  ])
  const short = quoted({ validMillis: 6000 })
  assert.deepEqual(short.after(5001), [])
  assert.deepEqual(short.after(1000), [
    'Expired 2 at -3600',
    'Expired 3 at -3580',
    'rfq 1 expired RfqExpired',
  ])
  const early = quoted({ validMillis: 3000 })
  assert.deepEqual(early.after(3001), ['Expired 2 at -3600', 'Expired 3 at -3580'])
  assert.deepEqual(early.after(2000), ['rfq 1 expired RfqExpired'])
})
