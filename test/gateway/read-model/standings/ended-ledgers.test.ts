import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EndedLedgers } from '../../../../gateway/read-model/standings/ended-ledgers.js'
import { Ledger } from '../../../../gateway/read-model/standings/ledger.js'

/** One with so many participants, as far as anybody counts them. */
function ledgerOf(id: number, participants: number): Ledger {
  const ledger = new Ledger(id, {}, false)
  ledger.participants.count = participants
  return ledger
}

const held = (ledgers: EndedLedgers, ids: readonly number[]) =>
  ids.filter((id) => ledgers.find(id) !== null)

test('the latest requested ledgers stay while there is room', () => {
  const ledgers = new EndedLedgers()
  for (const id of [1, 2, 3]) ledgers.add(ledgerOf(id, 80_000))
  assert.deepEqual(held(ledgers, [3, 2, 1]), [3, 2, 1])
  ledgers.add(ledgerOf(4, 80_000))
  assert.deepEqual(held(ledgers, [1, 2, 3, 4]), [1, 2, 4])
  ledgers.add(ledgerOf(5, 10))
  assert.deepEqual(held(ledgers, [1, 2, 4, 5]), [1, 2, 4, 5])
})

test('a ledger without room next to others is there alone', () => {
  const ledgers = new EndedLedgers()
  ledgers.add(ledgerOf(1, 10))
  ledgers.add(ledgerOf(2, 1_000_000))
  assert.deepEqual(held(ledgers, [1, 2]), [2])
  ledgers.add(ledgerOf(3, 10))
  assert.deepEqual(held(ledgers, [2, 3]), [3])
})
