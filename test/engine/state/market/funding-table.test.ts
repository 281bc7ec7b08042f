import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { hashText, StateHash } from '../../../../engine/memory/state-hash.js'
import { fundingParametersDefault } from '../../../../engine/state/market/funding-parameters.js'
import { FundingTable } from '../../../../engine/state/market/funding-table.js'
import { refreshed } from '../../../support/refreshed.js'

const on = { ...fundingParametersDefault, enabled: true }
const terms = {
  instrument: 7,
  endMillis: 3_600_000,
  rateNanos: -250_000,
  indexMicros: 100_000e6,
  sampleCount: 59,
  holderCount: 3,
}

/** Two perps, the second sampled, and a round of which one holder is done. */
function busy(): { fundings: FundingTable; hash: StateHash } {
  const hash = new StateHash()
  const fundings = new FundingTable(hash)
  fundings.configure(on)
  fundings.add(4)
  fundings.add(7)
  fundings.amend(fundings.perps[1]!, (perp) => {
    perp.periodMillis = 3_600_000
    perp.sampledMillis = 3_660_000
    perp.sampleCount = 2
    perp.premiumNanos = -12_345
  })
  fundings.begin(terms, [2, 5, 9], [1e8, 2e8, -3e8])
  fundings.advance(fundings.rounds[0]!, 25_000_000n)
  return { fundings, hash }
}

function textOf(hash: StateHash): string {
  const { low, high } = refreshed(hash)
  return hashText(low, high)
}

test('completed rounds leave no elements except the number of payments', () => {
  const { fundings, hash } = busy()
  const counted = new StateHash()
  const other = new FundingTable(counted)
  other.begin({ ...terms, rateNanos: 1 }, [1, 2, 3], [1, 1, -2])
  for (const each of [fundings, other]) {
    const round = each.rounds[0]!
    while (round.next < round.accounts.length) each.advance(round, 3n)
    each.end(round)
  }
  assert.notDeepEqual(refreshed(hash), refreshed(counted), 'samples are elements')
  for (const instrument of [4, 7]) fundings.remove(instrument)
  assert.deepEqual(refreshed(hash), refreshed(counted))
  assert.equal(fundings.paymentCount, 3)
})

test('every field of a perp and of a round is an element', () => {
  const { fundings, hash } = busy()
  const seen = new Set([textOf(hash)])
  const [perp] = fundings.perps
  const names = Object.keys(perp!).filter((name) => !['instrument', 'cell'].includes(name))
  for (const name of names) {
    fundings.amend(perp!, (changed) => Object.assign(changed, { [name]: 17 }))
    seen.add(textOf(hash))
  }
  assert.equal(seen.size, 1 + names.length)
  const hashes = Object.keys(terms).map((name) => {
    const other = busy()
    other.fundings.begin({ ...terms, [name]: 17 }, [1], [1])
    return textOf(other.hash)
  })
  assert.equal(new Set(hashes).size, hashes.length)
})

test('rounds are paid in the order in which they were fixed', () => {
  const { fundings } = busy()
  const [first] = fundings.rounds
  fundings.begin({ ...terms, instrument: 4 }, [], [])
  assert.throws(() => fundings.end(fundings.rounds[1]!), /rounds end in their order/)
  assert.throws(() => fundings.advance(fundings.rounds[1]!, 0n), /rounds are paid in order/)
  assert.throws(() => fundings.end(first!), /every holder is paid before a round ends/)
  for (let i = 0; i < 2; i++) fundings.advance(first!, 0n)
  fundings.end(first!)
  assert.deepEqual(
    fundings.rounds.map(({ instrument }) => instrument),
    [4],
  )
})

test('a snapshot has samples and remaining holders, and counts the same', () => {
  const { fundings, hash } = busy()
  const writer = new StateWriter()
  fundings.save(writer)
  const loadedHash = new StateHash()
  const loaded = new FundingTable(loadedHash)
  loaded.configure(on)
  loaded.add(4)
  loaded.add(7)
  loaded.load(new StateReader(writer.result()))
  assert.deepEqual(refreshed(loadedHash), refreshed(hash))
  assert.deepEqual(loaded.perps, fundings.perps)
  const [round] = loaded.rounds
  assert.deepEqual([round?.accounts, round?.lots, round?.next], [[5, 9], [2e8, -3e8], 0])
  assert.deepEqual([round?.holderCount, round?.clearingMicros], [3, 25_000_000n])
  assert.equal(loaded.nextMillis, fundings.nextMillis)
})

test('the next turn is that of the earliest perp, and there is none while funding is off', () => {
  const { fundings } = busy()
  assert.equal(fundings.nextMillis, 60_000, 'the first perp has had none yet')
  assert.equal(fundings.firstDue(60_000)?.instrument, 4)
  fundings.remove(4)
  assert.equal(fundings.nextMillis, 3_720_000)
  assert.equal(fundings.firstDue(3_719_999), null)
  fundings.configure({ ...on, enabled: false })
  assert.equal(fundings.nextMillis, Number.POSITIVE_INFINITY)
  assert.equal(fundings.perps[0]?.sampleCount, 0)
  fundings.remove(3)
  assert.equal(fundings.perps.length, 1, 'an option was never there')
})
