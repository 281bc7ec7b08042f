import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { none } from '../../../engine/memory/rows.js'
import { StateReader } from '../../../engine/memory/state-codec.js'
import { hashText } from '../../../engine/memory/state-hash.js'
import { Random } from '../../../engine/simulation/random.js'
import { loadState } from '../../../engine/state/state-snapshot.js'
import { finalFactsKept } from '../../../schemas/bounds.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { CoreRig } from '../../support/core-rig.js'
import { endedId, endedOwner, endOrder } from '../../support/ended-orders.js'
import { projectPath } from '../../support/project.js'

test('orders that ended outlive a snapshot, lately ended ones with all their facts', () => {
  const rig = new CoreRig().openMarket()
  for (let counter = 1; counter <= finalFactsKept + 10; counter++) endOrder(rig, counter)
  rig.state.cells.close()
  const restored = new CoreRig()
  restored.restore(rig.save())
  assert.deepEqual({ ...restored.state.hash }, { ...rig.state.hash })
  const { orders, orderIndex } = restored.state
  assert.equal(orderIndex.find(endedId(10)), none)
  assert.equal(orderIndex.forgottenStatus(endedId(10), endedOwner), OrderStatus.Filled)
  assert.equal(orderIndex.forgottenStatus(endedId(9), endedOwner), OrderStatus.Canceled)
  const slot = orderIndex.find(endedId(11))
  assert.equal(orders.filledMicros[slot], 11)
  // The next one that ends takes the place of the oldest, in both alike.
  for (const each of [rig, restored]) {
    endOrder(each, finalFactsKept + 11)
    each.state.cells.close()
  }
  assert.equal(orderIndex.find(endedId(11)), none)
  assert.deepEqual({ ...restored.state.hash }, { ...rig.state.hash })
})

test('what marks are made of outlives a snapshot, estimates of a settlement too', () => {
  const rig = new CoreRig().openMarket()
  const expiryMillis = Date.UTC(2026, 0, 31, 0)
  rig.state.marks.setSettlementEstimate(0, expiryMillis, 99_000e6)
  const restored = new CoreRig()
  restored.restore(rig.save())
  assert.deepEqual(restored.state.marks.stateOf(0), rig.state.marks.stateOf(0))
  assert.equal(restored.state.marks.inputsOf(0).estimates[0]!.priceMicros, 99_000e6)
})

/** Reads a snapshot in which one value is another one. */
class SpoiledReader extends StateReader {
  /** Values read so far. */
  count = 0
  readonly #spoiled: number
  /** Functions that asked for the spoiled value. */
  readBy = ''

  constructor(bytes: Uint8Array, spoiled: number) {
    super(bytes)
    this.#spoiled = spoiled
  }

  override i32(): number {
    const value = super.i32()
    return this.#isSpoiled() ? value ^ 1 : value
  }

  override f64(): number {
    const value = super.f64()
    if (!this.#isSpoiled()) return value
    return Number.isFinite(value) ? value + Math.max(1, Math.abs(value) * 1e-9) : 1
  }

  override bytes(length: number): Uint8Array {
    const bytes = super.bytes(length)
    if (length === 0 || !this.#isSpoiled()) return bytes
    const spoiled = Uint8Array.from(bytes)
    spoiled[length - 1]! ^= 1
    return spoiled
  }

  #isSpoiled(): boolean {
    if (this.count++ !== this.#spoiled) return false
    this.readBy = new Error('read by').stack!
    return true
  }
}

/** @returns the hash, or nothing where the snapshot is refused. */
function hashOf(reader: StateReader): string | null {
  const { state } = new CoreRig()
  try {
    loadState(state, reader)
  } catch {
    return null
  }
  return hashText(state.hash.low, state.hash.high)
}

// Which sequence of its batch an answer had; fills within a window, of which the hash has sums and ends; wallets that
// the check is to come round to, of which it has the number: the next batches show them.
const unhashed = [/KeptOutcomes\.load/, /MmpTable\.load/, /loadLiquidations/]

test('whatever value of a snapshot is another one, the hash is another one', () => {
  const seed = Number(process.env['SEED'] ?? 17)
  const random = new Random(seed, 'values')
  const folder = projectPath('test/vectors/states-1')
  const share = process.env['EVERY_VALUE'] === '1' ? 1 : 0.02
  let looked = 0
  for (const name of readdirSync(folder)) {
    const bytes = new Uint8Array(gunzipSync(readFileSync(join(folder, name))))
    const whole = new SpoiledReader(bytes, -1)
    const hash = hashOf(whole)
    assert.notEqual(hash, null)
    let unseen = 0
    for (let value = 0; value < whole.count; value++) {
      if (!random.chance(share)) continue
      looked++
      const reader = new SpoiledReader(bytes, value)
      if (hashOf(reader) !== hash) continue
      const isTold = unhashed.some((pattern) => pattern.test(reader.readBy))
      assert.ok(isTold, `seed ${seed}, ${name}, value ${value}: ${reader.readBy}`)
      unseen++
    }
    assert.ok(unseen <= Math.max(3, looked / 20), `seed ${seed}, ${name}: ${unseen} of ${looked}`)
  }
  assert.ok(looked > 100, String(looked))
})
