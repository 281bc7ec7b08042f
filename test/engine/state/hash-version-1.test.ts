import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText, StateHash } from '../../../engine/memory/state-hash.js'
import { simulate } from '../../../engine/simulation/simulation.js'
import type { CoreState } from '../../../engine/state/core-state.js'
import { hashOfVersion1, KindOfVersion1 } from '../../../engine/state/hash-version-1.js'
import { finalFactsKept, finalOrdersKept } from '../../../schemas/bounds.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { CoreRig } from '../../support/core-rig.js'
import { endedId, endedOwner, endOrder } from '../../support/ended-orders.js'

/** Together they meet every element. */
const runs = [
  { seed: 23, steps: 1000 },
  { seed: 25, steps: 500 },
  { seed: 80, steps: 500 },
  { seed: 81, steps: 1000 },
]

const Kind = KindOfVersion1
type IsFact = (kind: number, a: number, b: number) => boolean
/** Facts that stand beside the usual ones of their kinds. */
const rareFacts: Readonly<Record<string, IsFact>> = {
  'wallets that wait for their check': (kind, a) => kind === Kind.Counter && a < -1,
  'nonces that were dropped': (kind, _, b) => kind === Kind.Nonce && b === -1,
  'nonces of agents': (kind, a) => kind === Kind.Nonce && a < 0,
  'a re-mark under way': (kind, _, b) => kind === Kind.Marked && b === 2,
  'a halt of what is listed later': (kind, a) => kind === Kind.Halt && a === -1,
  'clearing beyond its low half': (kind, a) => kind === Kind.Clearing && a === 5,
  'an expiry beyond its low parts': (kind, a) => kind === Kind.Settlement && a % 16 >= 8,
  'fills in a window': (kind, _, b) => kind === Kind.MmpWindow && b === 9,
  'losses that the insurance paid': (kind, _, b) => kind === Kind.Liquidation && b === 14,
  'losses deleveraged': (kind, _, b) => kind === Kind.Liquidation && b === 15,
  'losses shared': (kind, _, b) => kind === Kind.Liquidation && b === 22,
}
const names = [...Object.keys(Kind), ...Object.keys(rareFacts)]
const nameOf = new Map<number, string>(Object.entries(Kind).map(([name, kind]) => [kind, name]))

/** Notes what is added to it. */
class NotedHash extends StateHash {
  readonly #met: Set<string>

  constructor(met: Set<string>) {
    super()
    this.#met = met
  }

  override add(kind: Parameters<StateHash['add']>[0], a: number, b: number, value: number): void {
    super.add(kind, a, b, value)
    this.#met.add(nameOf.get(kind)!)
    for (const name in rareFacts) if (rareFacts[name]!(kind, a, b)) this.#met.add(name)
  }
}

function assertSame(state: CoreState, met = new Set<string>()): void {
  const { low, high } = hashOfVersion1(state, new NotedHash(met))
  const { hash, batchNumber } = state
  assert.equal(hashText(low, high), hashText(hash.low, hash.high), `batch ${batchNumber}`)
}

test('after every batch the state alone has the hash that was kept, whatever it is made of', () => {
  const met = new Set<string>()
  for (const { seed, steps } of runs) {
    const seams = { disturb: (state: CoreState) => assertSame(state, met) }
    const { failure } = simulate({ seed, steps, seams })
    assert.equal(failure, null, `seed ${seed}: ${failure?.what}`)
  }
  assert.deepEqual(
    names.filter((name) => !met.has(name)),
    [],
    'never met',
  )
})

test('orders that ended are summed up by what is still known of them', () => {
  const rig = new CoreRig().openMarket()
  // The second has rested while others came and went, and has the place of the first.
  for (const counter of [finalOrdersKept + 5, 5]) endOrder(rig, counter)
  for (let counter = 6; counter < finalFactsKept + 5; counter++) endOrder(rig, counter)
  for (let counter = 0; counter < 10; counter++) {
    endOrder(rig, finalFactsKept + 5 + counter)
    assertSame(rig.state)
  }
  const { orderIndex } = rig.state
  assert.equal(orderIndex.forgottenStatus(endedId(5), endedOwner), OrderStatus.None)
  assert.equal(orderIndex.forgottenStatus(endedId(10), endedOwner), OrderStatus.Filled)
  const restored = new CoreRig()
  assertSame(restored.state)
  restored.restore(rig.save())
  assertSame(restored.state)
})
