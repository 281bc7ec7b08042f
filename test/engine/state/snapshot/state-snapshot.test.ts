import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { none } from '../../../../engine/memory/rows.js'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { hashText } from '../../../../engine/memory/state-hash.js'
import type { CoreState } from '../../../../engine/state/core-state.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { Answer, Invited } from '../../../../engine/state/rfq/rfq-row.js'
import { loadState, saveState } from '../../../../engine/state/snapshot/state-snapshot.js'
import { finalFactsKept } from '../../../../schemas/bounds.js'
import {
  OrderStatus,
  ProviderStatus,
  RfqKind,
  RfqStatus,
  Side,
} from '../../../../schemas/domain.js'
import { Random } from '../../../simulation/run/random.js'
import { replayCore } from '../../../simulation/run/replay-core.js'
import { CoreRig } from '../../../support/core-rig.js'
import { endedId, endedOwner, endOrder } from '../../../support/ended-orders.js'
import { projectPath } from '../../../support/project.js'

test('ended orders survive a snapshot, recent ones with all their facts', () => {
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

test('the inputs of marks survive a snapshot, and so do settlement estimates', () => {
  const rig = new CoreRig().openMarket()
  const expiryMillis = Date.UTC(2026, 0, 31, 0)
  rig.state.marks.setSettlementEstimate(0, expiryMillis, 99_000e6)
  const restored = new CoreRig()
  restored.restore(rig.save())
  assert.deepEqual(restored.state.marks.stateOf(0), rig.state.marks.stateOf(0))
  assert.equal(restored.state.marks.inputsOf(0).estimates[0]!.priceMicros, 99_000e6)
})

/** Request to a reader: a length of bytes, or one of these. */
const Asked = { Word: -1, Double: -2 } as const

/**
 * Reads a snapshot in which one value is another one. Where that makes a load ask for something else than the load of
 * the whole one did, it is refused, as bytes that make no sense would be sooner or later.
 */
class SpoiledReader extends StateReader {
  /** Requests so far. */
  readonly asked: number[] = []
  readonly #spoiled: number
  readonly #whole: readonly number[] | null
  /** Functions that asked for the spoiled value. */
  readBy = ''

  constructor(bytes: Uint8Array, spoiled = -1, whole: readonly number[] | null = null) {
    super(bytes)
    this.#spoiled = spoiled
    this.#whole = whole
  }

  override i32(): number {
    const value = super.i32()
    return this.#isSpoiled(Asked.Word) ? value ^ 1 : value
  }

  override f64(): number {
    const value = super.f64()
    if (!this.#isSpoiled(Asked.Double)) return value
    return Number.isFinite(value) ? value + Math.max(1, Math.abs(value) * 1e-9) : 1
  }

  override bytes(length: number): Uint8Array {
    const bytes = super.bytes(length)
    if (!this.#isSpoiled(length) || length === 0) return bytes
    const spoiled = Uint8Array.from(bytes)
    spoiled[length - 1]! ^= 1
    return spoiled
  }

  #isSpoiled(asked: number): boolean {
    const value = this.asked.push(asked) - 1
    if (this.#whole !== null && this.#whole[value] !== asked) throw new Error('another shape')
    if (value !== this.#spoiled) return false
    // Other tests in this process may not need stacks.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 10
    this.readBy = new Error('read by').stack!
    Error.stackTraceLimit = limit
    return true
  }
}

/** Loads a snapshot. @returns the hash, and the state saved again; null if loading fails. */
function loadedFrom(reader: StateReader): { readonly hash: string; readonly saved: Buffer } | null {
  const { state } = replayCore(engineConfigDefault, 1)
  try {
    loadState(state, reader)
  } catch {
    return null
  }
  const writer = new StateWriter()
  saveState(state, writer)
  const { low, high } = state.hash
  return { hash: hashText(low, high), saved: Buffer.from(writer.result()) }
}

// Values outside the hash: the sequence of an answer within its batch; fills within a window, of which the hash has sums
// and ends; wallets that wait for their check, of which it has the number. The next batches show their effects.
const unhashed = [/KeptResults\.load/, /MmpTable\.load/, /loadLiquidations/]

/** A saved state with quote providers and requests as well. */
function completed(bytes: Uint8Array): Uint8Array {
  const { state } = replayCore(engineConfigDefault, 1)
  loadState(state, new StateReader(bytes))
  const { providers } = state
  const quoting = providers.setStatus(0, ProviderStatus.Active)
  providers.connect(quoting, { gateway: 1, session: 7, signer: `0x${'12'.repeat(20)}` })
  providers.setStatus(1, ProviderStatus.Suspended)
  askForQuotes(state)
  const writer = new StateWriter()
  saveState(state, writer)
  return writer.result()
}

/** Adds a request that has ended, and one that is open: quoted, declined, and with an expired quote. */
function askForQuotes({ rfqs, nowMillis }: CoreState): void {
  const terms = {
    account: 0,
    signer: new Uint8Array(20).fill(9),
    kind: RfqKind.Auto,
    limitMicros: 5_000_000,
    legs: [
      { instrument: 0, side: Side.Buy, sizeLots: 100 },
      { instrument: 1, side: Side.Sell, sizeLots: 200 },
    ],
    createdMillis: nowMillis,
    responseMillis: nowMillis + 5000,
    expiresMillis: nowMillis + 30_000,
  }
  rfqs.end(rfqs.add({ ...terms, id: new Uint8Array(16).fill(1) }), RfqStatus.Expired)
  const row = rfqs.add({ ...terms, id: new Uint8Array(16).fill(2) })
  rfqs.amend(row, (changed) => {
    changed.status = RfqStatus.QuotesReceived
    changed.isResponseOver = true
    changed.invited.push(new Invited(1), new Invited(2))
    const [first, second] = changed.invited
    first!.answer = Answer.Declined
    second!.answer = Answer.Quoted
    second!.quoteCount = 2
    second!.expiredIds.push(new Uint8Array(16).fill(3))
    second!.quote = {
      id: new Uint8Array(16).fill(4),
      number: 17,
      netPremiumMicros: -4_000_000,
      madeMillis: nowMillis,
      expiresMillis: nowMillis + 20_000,
      pricesMicros: [7_000_000, 3_000_000],
      signer: new Uint8Array(20).fill(8),
    }
  })
}

test('a changed value in a snapshot changes the hash', () => {
  const seed = Number(process.env['SEED'] ?? 17)
  const random = new Random(seed, 'values')
  const folder = projectPath('test/vectors/states')
  const share = process.env['EVERY_VALUE'] === '1' ? 1 : 0.003
  let changedCount = 0
  for (const name of readdirSync(folder)) {
    const bytes = completed(new Uint8Array(gunzipSync(readFileSync(join(folder, name)))))
    const reader = new SpoiledReader(bytes)
    const whole = loadedFrom(reader)
    assert.ok(whole !== null)
    for (let value = 0; value < reader.asked.length; value++) {
      if (!random.chance(share)) continue
      const spoiled = new SpoiledReader(bytes, value, reader.asked)
      const loaded = loadedFrom(spoiled)
      // A value that nobody keeps is no state.
      const isChanged = loaded?.hash !== whole.hash
      if (isChanged) changedCount++
      if (isChanged || loaded?.saved.equals(whole.saved)) continue
      const isKnown = unhashed.some((pattern) => pattern.test(spoiled.readBy))
      assert.ok(isKnown, `seed ${seed}, ${name}, value ${value}: ${spoiled.readBy}`)
    }
  }
  assert.ok(changedCount > 30, String(changedCount))
})
