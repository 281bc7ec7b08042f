import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { Answer, Invited, type Rfq, type RfqQuote } from '../../../../engine/state/rfq/rfq-row.js'
import { RfqTable } from '../../../../engine/state/rfq/rfq-table.js'
import { RfqKind, RfqStatus, Side } from '../../../../schemas/domain.js'

const quote: RfqQuote = {
  ...{ id: new Uint8Array(16).fill(3), number: 1, netPremiumMicros: -5 },
  ...{ madeMillis: 20, expiresMillis: 4000, pricesMicros: [5, 6] },
  signer: new Uint8Array(20).fill(4),
}

/** A table with an open request, which one provider has quoted. */
function quoted() {
  const hash = new StateHash()
  const rfqs = new RfqTable(hash)
  const row = rfqs.add({
    ...{ id: new Uint8Array(16).fill(7), account: 1, signer: new Uint8Array(20).fill(2) },
    ...{ kind: RfqKind.Auto, limitMicros: 9, createdMillis: 10 },
    ...{ responseMillis: 5010, expiresMillis: 30_010 },
    legs: [
      { instrument: 4, side: Side.Buy, sizeLots: 100 },
      { instrument: 5, side: Side.Sell, sizeLots: 200 },
    ],
  })
  rfqs.nextQuoteNumber()
  rfqs.amend(row, ({ invited }) => {
    const [one, other] = [new Invited(2), new Invited(3)]
    Object.assign(one, { answer: Answer.Quoted, quoteCount: 1, quote })
    other.expiredIds.push(new Uint8Array(16).fill(8))
    invited.push(one, other)
  })
  return { hash, rfqs, row }
}

function lanesOf(hash: StateHash): readonly number[] {
  hash.refresh()
  return [hash.low, hash.high]
}

test('every fact of an open request that may change counts in the hash', () => {
  const before = lanesOf(quoted().hash)
  const requote = (change: Partial<RfqQuote>) => (row: Rfq) => {
    row.invited[0]!.quote = { ...quote, ...change }
  }
  const changes: readonly ((row: Rfq) => void)[] = [
    (row) => Object.assign(row, { status: RfqStatus.QuotesReceived }),
    (row) => Object.assign(row, { isResponseOver: true }),
    (row) => row.invited.push(new Invited(9)),
    (row) => Object.assign(row.invited[0]!, { answer: Answer.Left }),
    (row) => Object.assign(row.invited[0]!, { quoteCount: 2 }),
    (row) => Object.assign(row.invited[0]!, { quote: null }),
    (row) => row.invited[1]!.expiredIds[0]!.fill(9),
    requote({ id: new Uint8Array(16) }),
    ...[{ number: 2 }, { netPremiumMicros: 5 }, { madeMillis: 21 }].map(requote),
    ...[{ expiresMillis: 4001 }, { pricesMicros: [5, 7] }, { signer: new Uint8Array(20) }].map(
      requote,
    ),
  ]
  for (const [index, change] of changes.entries()) {
    const { hash, rfqs, row } = quoted()
    rfqs.amend(row, (changed) => void change(changed))
    assert.notDeepEqual(lanesOf(hash), before, `change ${index}`)
  }
  const counted = quoted()
  counted.rfqs.nextQuoteNumber()
  assert.notDeepEqual(lanesOf(counted.hash), before, 'quotes so far')
})

test('a saved request loads with its deadline, its count and its id', () => {
  for (const isResponseOver of [false, true]) {
    const { hash, rfqs, row } = quoted()
    rfqs.amend(row, (changed) => {
      changed.status = RfqStatus.QuotesReceived
      changed.isResponseOver = isResponseOver
    })
    const writer = new StateWriter()
    rfqs.save(writer)
    const again = new StateHash()
    const loaded = new RfqTable(again)
    loaded.load(new StateReader(writer.result()))
    assert.deepEqual(lanesOf(again), lanesOf(hash))
    const [found] = loaded.rows
    for (const fact of ['terms', 'status', 'isResponseOver', 'invited', 'dueMillis'] as const) {
      assert.deepEqual(found![fact], row[fact], fact)
    }
    assert.equal(loaded.openCountOf(1), 1)
    assert.equal(loaded.nextMillis, 4001)
    assert.ok(loaded.isUsed(row.key))
    assert.equal(loaded.nextQuoteNumber(), 2)
  }
})

test('the next check is after the first of these ends: a quote, the time for quotes, the request', () => {
  const { rfqs, row } = quoted()
  assert.equal(rfqs.nextMillis, 4001)
  rfqs.amend(row, ({ invited }) => Object.assign(invited[0]!, { quote: null }))
  assert.equal(rfqs.nextMillis, 5011)
  rfqs.amend(row, (changed) => Object.assign(changed, { isResponseOver: true }))
  assert.equal(rfqs.nextMillis, 30_011)
})

test('an ended request leaves its final status, and frees its place for another one', () => {
  const { hash, rfqs, row } = quoted()
  rfqs.end(row, RfqStatus.Executed)
  assert.equal(rfqs.find(row.key), null)
  assert.equal(rfqs.openCountOf(1), 0)
  assert.equal(rfqs.nextMillis, Number.POSITIVE_INFINITY)
  assert.equal(rfqs.endOf(row.key), RfqStatus.Executed)
  assert.ok(rfqs.isUsed(row.key))
  const other = new StateHash()
  const never = new RfqTable(other)
  never.nextQuoteNumber()
  never.ids.add(row.key, row.terms.id, 1, RfqStatus.Executed)
  assert.deepEqual(lanesOf(hash), lanesOf(other))
})
