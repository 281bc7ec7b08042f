import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Side } from '../../../schemas/domain.js'
import { uniformsOf } from '../pricing/random.js'
import { call100k, call110k, lots, World } from './risk-fixture.js'

const account = 0

/** One wallet's random orders, fills and transfers, and each position's realized PnL by the plain rule. */
class RealizedTwin {
  readonly world = new World()
  readonly #uniform: () => number
  readonly #instruments: readonly number[]
  readonly #working = new Map<number, Set<number>>()
  readonly #realizedMicros = new Map<number, number>()
  /** Fills of the last order of a flat position that thereby moved it in the other direction. */
  passedThroughZero = 0

  constructor(seed: number) {
    this.#uniform = uniformsOf(seed)
    this.world.spot('BTC', 100_000)
    this.world.account(1_000_000)
    this.#instruments = [call100k, call110k].map((terms) => this.world.list(terms))
    for (const instrument of this.#instruments) this.#working.set(instrument, new Set())
  }

  step(): void {
    const instrument = this.#instruments[this.#below(2)]!
    const slots = [...this.#working.get(instrument)!]
    const slot = slots[this.#below(slots.length)]
    const contracts = 1 + this.#below(3)
    const isBuy = this.#below(2) === 0
    if (slot === undefined || this.#below(8) === 0) {
      if (this.#below(4) === 0) this.#trade(instrument, isBuy ? contracts : -contracts)
      else this.#place(instrument, isBuy ? Side.Buy : Side.Sell, contracts)
    } else if (this.#below(4) === 0) this.#cancel(instrument, slot)
    else this.#fill(instrument, slot)
    this.#forget(instrument)
  }

  check(where: string): void {
    const { exposures } = this.world.risk
    for (const instrument of this.#instruments) {
      const row = exposures.find(account, instrument)
      const realized = row < 0 ? 0 : exposures.realizedMicros[row]
      assert.equal(realized, this.#realizedMicros.get(instrument) ?? 0, where)
    }
  }

  #place(instrument: number, side: Side, contracts: number): void {
    const slot = this.world.work(account, instrument, side, contracts, 10)
    this.#working.get(instrument)!.add(slot)
  }

  #cancel(instrument: number, slot: number): void {
    this.world.risk.setOpen(slot, 0)
    this.#working.get(instrument)!.delete(slot)
  }

  #fill(instrument: number, slot: number): void {
    const { orders, risk } = this.world
    const openContracts = orders.openLots[slot] / lots(1)
    const contracts = 1 + this.#below(openContracts)
    const isBuy = orders.side[slot] === Side.Buy
    const isFlat = risk.exposures.positionLots[orders.exposure[slot]] === 0
    risk.setOpen(slot, lots(openContracts - contracts), true)
    if (contracts === openContracts) this.#working.get(instrument)!.delete(slot)
    const isLast = isFlat && this.#working.get(instrument)!.size === 0
    if (isLast && this.#realizedMicros.has(instrument)) this.passedThroughZero++
    this.#trade(instrument, isBuy ? contracts : -contracts)
  }

  #trade(instrument: number, contracts: number): void {
    const price = 5 + this.#below(10)
    const { realizedMicros } = this.world.fill(account, instrument, contracts, price)
    const before = this.#realizedMicros.get(instrument) ?? 0
    this.#realizedMicros.set(instrument, before + realizedMicros)
  }

  /** Forgets a position's realized PnL after a step that leaves neither lots nor orders. */
  #forget(instrument: number): void {
    const { exposures } = this.world.risk
    const row = exposures.find(account, instrument)
    const isHeld = row >= 0 && exposures.positionLots[row] !== 0
    if (!isHeld && this.#working.get(instrument)!.size === 0) {
      this.#realizedMicros.delete(instrument)
    }
  }

  #below(count: number): number {
    return Math.floor(this.#uniform() * count)
  }
}

test('a position keeps its realized PnL while it has lots or a working order, with a fill as one step', () => {
  let passed = 0
  for (const seed of [1, 2, 3, 4, 5]) {
    const twin = new RealizedTwin(seed)
    for (let step = 0; step < 1000; step++) {
      twin.step()
      twin.check(`seed ${seed}, step ${step}`)
    }
    passed += twin.passedThroughZero
  }
  assert.ok(passed > 10, `${passed} fills completed an order and moved a position through zero`)
})
