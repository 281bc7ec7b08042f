import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quoteMillisMax, rfqQuotesMax } from '../../../../schemas/bounds.js'
import { HaltMode, ProviderStatus } from '../../../../schemas/domain.js'
import { call100k, call110k, RfqRig, type RigQuote, spread } from '../../../support/rfq-rig.js'

const good: RigQuote = { id: 1, provider: 2, legs: spread, prices: [6900, 3300] }

function asked(limit?: number): RfqRig {
  const rig = new RfqRig().openCombos()
  rig.submit(limit === undefined ? { id: 1, legs: spread } : { id: 1, legs: spread, limit })
  rig.story()
  return rig
}

/** Returns the answer to a quote. */
function answerTo(rig: RfqRig, quote: Partial<RigQuote>, signed = {}): string {
  const request = rig.quote({ ...good, ...quote }, signed)
  return rig
    .story()
    .find((line) => line.startsWith(`${request}: `))!
    .slice(`${request}: `.length)
}

test('a quote for an unknown or closed request, or from an uninvited provider, fails', () => {
  const rig = asked()
  assert.equal(answerTo(rig, { id: 9 }), 'RfqUnknown')
  assert.equal(answerTo(rig, { provider: 4 }), 'RfqUnknown')
  assert.equal(answerTo(rig, { provider: 99 }), 'RfqUnknown')
  rig.submit({ id: 2, legs: spread, limit: 4000 })
  rig.quote({ ...good, id: 2 })
  rig.story()
  assert.equal(answerTo(rig, { id: 2, provider: 3 }), 'RfqAlreadyFilled')
  rig.after(5001)
  assert.equal(answerTo(rig, {}), 'RfqClosed')
})

test('a quote in the last millisecond is in time, and a later one is not', () => {
  const rig = asked()
  rig.nowMillis += 5000
  assert.equal(answerTo(rig, {}), 'Accepted')
  rig.nowMillis += 1
  assert.equal(answerTo(rig, {}), 'RfqDeadlinePassed')
  assert.equal(answerTo(rig, { provider: 3 }), 'RfqDeadlinePassed')
})

test('legs are those of the request, in their order', () => {
  const rig = asked()
  for (const legs of [
    [[call100k, 1]],
    [
      [call110k, -1],
      [call100k, 1],
    ],
    [
      [call100k, 1],
      [call110k, 1],
    ],
    [
      [call100k, 1],
      [call110k, -2],
    ],
  ] as const) {
    assert.equal(answerTo(rig, { legs, prices: [6900, 3300] }), 'RfqLegsMismatch')
  }
})

test('prices are above 0, and their sum is the net premium', () => {
  const rig = asked()
  assert.equal(answerTo(rig, { prices: [6900, 0] }), 'RfqPremiumMismatch')
  assert.equal(answerTo(rig, { net: -3600.000_003 }), 'RfqPremiumMismatch')
  assert.equal(answerTo(rig, { net: -3600.000_002 }), 'Accepted')
})

test('a quote is valid for a while, cut to the maximum', () => {
  const rig = asked()
  assert.equal(answerTo(rig, { validMillis: 0 }), 'RfqValidity')
  assert.equal(answerTo(rig, { validMillis: 1e12 }), 'Accepted')
  const [row] = rig.state.rfqs.rows
  assert.equal(row!.invited[0]!.quote!.expiresMillis, rig.state.nowMillis + quoteMillisMax)
})

test('a quote is valid no longer than its request', () => {
  const rig = asked()
  rig.nowMillis += 2000
  assert.equal(answerTo(rig, { validMillis: quoteMillisMax }), 'Accepted')
  const [row] = rig.state.rfqs.rows
  assert.equal(row!.invited[0]!.quote!.expiresMillis, row!.terms.expiresMillis)
})

test('terms are checked before the signature, then signer and nonce', () => {
  const rig = asked()
  assert.equal(answerTo(rig, { prices: [0, 0] }, { signer: 0 }), 'RfqPremiumMismatch')
  assert.equal(answerTo(rig, {}, { signer: 0 }), 'SignatureFailed')
  assert.equal(answerTo(rig, {}, { signer: 3 }), 'Unauthorized')
  assert.equal(answerTo(rig, {}, { nonce: 7 }), 'Accepted')
  assert.equal(answerTo(rig, {}, { nonce: 7, digest: 8 }), 'NonceUsed')
  assert.equal(answerTo(rig, {}, { nonce: 7 }), 'Accepted again')
})

test('a taker that is also a provider does not quote its own request', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread, wallet: 2 })
  rig.story()
  assert.equal(answerTo(rig, {}), 'RfqSelfTrade')
})

test('the number of quotes of a provider is limited, replaced ones included', () => {
  const rig = asked()
  for (let count = 0; count < rfqQuotesMax; count++) assert.equal(answerTo(rig, {}), 'Accepted')
  assert.equal(answerTo(rig, {}), 'QuotesLimit')
  assert.equal(answerTo(rig, { provider: 3 }), 'Accepted')
})

test('quotes that fail for margin count, too', () => {
  const rig = asked()
  rig.state.risk.creditCash(1, -999_999e6)
  for (let count = 0; count < rfqQuotesMax; count++) {
    assert.equal(answerTo(rig, {}), 'InsufficientMargin')
  }
  assert.equal(answerTo(rig, {}), 'QuotesLimit')
})

test('a halt to cancel-only ends the request, and no further quote is accepted', () => {
  const rig = asked()
  assert.equal(answerTo(rig, {}), 'Accepted')
  rig.halt(HaltMode.CancelOnly, 'BTC')
  assert.deepEqual(rig.story(), ['rfq 1 failed CancelOnly'])
  assert.equal(answerTo(rig, { provider: 3 }), 'RfqClosed')
})

test('a provider without enough margin receives the reason, and no quote is live', () => {
  const rig = asked()
  rig.state.risk.creditCash(1, -999_999e6)
  const request = rig.quote(good)
  assert.deepEqual(rig.story(), [
    'MarginRejected 2 at -3600 InsufficientMargin',
    `${request}: InsufficientMargin`,
  ])
  assert.equal([...rig.state.rfqs.rows][0]!.hasLiveQuote, false)
})

test('a newer quote replaces the older one', () => {
  const rig = asked()
  rig.quote(good)
  rig.quote({ ...good, prices: [6890, 3300] })
  const lines = rig.story().filter((line) => !/^\d/.test(line))
  assert.deepEqual(lines, [
    'Made 2 at -3600',
    'rfq 1 quotes_received',
    'Replaced 2 at -3600',
    'Made 2 at -3590',
  ])
})

test('if all providers have declined or left, the request has no quotes', () => {
  const rig = asked()
  const first = rig.decline(1, 2)
  assert.deepEqual(rig.story(), ['Declined 2', `${first}: Accepted`])
  const again = rig.decline(1, 2)
  assert.deepEqual(rig.story(), [`${again}: Accepted`])
  rig.leaveProvider(3, 1)
  assert.deepEqual(rig.story(), ['Left 3', 'rfq 1 no_quotes RfqUnanswered'])
  const late = rig.decline(1, 2)
  const stranger = rig.decline(9, 4)
  assert.deepEqual(rig.story(), [`${late}: RfqClosed`, `${stranger}: RfqUnknown`])
})

test('a provider that has declined may still quote in time', () => {
  const rig = asked()
  rig.decline(1, 2)
  rig.story()
  assert.equal(answerTo(rig, {}), 'Accepted')
})

test('a signed quote survives its connection, but not a suspension', () => {
  const rig = asked()
  rig.quote(good)
  rig.quote({ ...good, provider: 3 })
  rig.story()
  rig.leaveProvider(2, 0)
  assert.deepEqual(rig.story(), [])
  rig.provider(2, ProviderStatus.Suspended)
  assert.deepEqual(rig.story(), ['Withdrawn 2 at -3600 ProviderGone', 'Left 2'])
  rig.provider(3, ProviderStatus.Suspended)
  assert.deepEqual(rig.story(), ['Withdrawn 3 at -3600 ProviderGone', 'Left 3'])
  assert.equal(answerTo(rig, {}), 'ProviderSuspended')
  assert.deepEqual(rig.after(5001), ['rfq 1 expired RfqExpired'])
})

test('the first quote within the limit executes an automatic request, and the others are live', () => {
  const rig = asked(3600)
  for (const [provider, price] of [
    [2, 6920],
    [3, 6895],
    [2, 6880],
  ] as const) {
    rig.quote({ ...good, provider, prices: [price, 3300] })
  }
  const lines = rig.story()
  assert.ok(lines.includes('Executed 3 at -3595'))
  assert.equal(lines.filter((line) => line.startsWith('rfq 1 executed')).length, 1)
  assert.match(lines.at(-1)!, /RfqAlreadyFilled/)
})

test('a quote at the limit of an automatic request is within it, and a plain request waits', () => {
  const rig = asked(3600)
  rig.quote({ ...good, prices: [6900.000_001, 3300] })
  rig.quote(good)
  const lines = rig.story()
  assert.ok(lines.includes('Executed 2 at -3600'))
  assert.equal(lines.filter((line) => line.startsWith('Executed')).length, 1)
})

test('an automatic request fails if its taker lacks margin', () => {
  const rig = asked(3600)
  rig.state.risk.creditCash(0, -999_000e6)
  const request = rig.quote({ ...good, prices: [6880, 3300] })
  assert.deepEqual(rig.story(), [
    'Made 2 at -3580',
    'rfq 1 failed InsufficientCash',
    `${request}: Accepted`,
  ])
})
