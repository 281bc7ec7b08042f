import assert from 'node:assert/strict'
import { exposuresIn, type StateRowsState } from '../../engine/invariants/state-rows.js'
import { none } from '../../engine/memory/rows.js'
import { MarginSummary } from '../../engine/risk/order-check.js'
import type { SettlementTable } from '../../engine/state/market/settlement-table.js'
import type { Funds } from '../../engine/state/money/funds.js'
import type { OrderIndex } from '../../engine/state/orders/order-index.js'
import { InstrumentState, OrderFlag, OrderStatus, Side } from '../../schemas/domain.js'
import { EventType } from '../../schemas/generated/events.js'
import { SettlementPhase } from '../../schemas/record-values.js'
import type { RigEvent } from './rig-event.js'

interface CoreInvariantsState extends StateRowsState {
  readonly funds: Funds
  readonly settlements: SettlementTable
  readonly orderIndex: OrderIndex
}

/** Books as a follower of the event log knows them: lots by instrument, side and price. */
export class FollowedBooks {
  readonly #levels = new Map<number, Map<string, number>>()

  take(seen: readonly RigEvent[]): void {
    for (const { type, fields } of seen) {
      const instrument = fields['instrument'] ?? -1
      if (type === EventType.BookCleared) this.#levels.delete(instrument)
      if (type !== EventType.BookLevel) continue
      const book = this.#levels.get(instrument) ?? new Map<string, number>()
      this.#levels.set(instrument, book)
      const level = `${fields['side']} ${fields['price']}`
      if (fields['size'] === 0) book.delete(level)
      else book.set(level, fields['size'] ?? 0)
    }
  }

  levelsOf(instrument: number): ReadonlyMap<string, number> {
    return this.#levels.get(instrument) ?? new Map()
  }
}

/** Asserts all invariants that hold after a batch. */
export function assertInvariants(
  state: CoreInvariantsState,
  books: FollowedBooks,
  where: string,
): void {
  assertConserved(state, where)
  assertPositionsCancelOut(state, where)
  assertReduceOnly(state, where)
  const working = new Int32Array(state.accounts.count)
  for (let instrument = 0; instrument < state.instruments.count; instrument++) {
    assertOrders(state, instrument, working, where)
    assertBook(state, instrument, books, where)
  }
  for (let account = 0; account < state.accounts.count; account++) {
    assert.equal(
      state.accounts.workingOrders[account],
      working[account],
      `${where}: orders of ${account}`,
    )
  }
}

/**
 * Asserts that no trade of a reduce-only order increases its position or crosses zero.
 * @returns true for such a trade
 */
export function assertReduces({ type, fields }: RigEvent, where: string): boolean {
  if (type !== EventType.Fill) return false
  const { position = 0, size = 0, side, orderFlags = 0 } = fields
  if ((orderFlags & OrderFlag.ReduceOnly) === 0) return false
  const [after, by] = [Math.round(position * 1e8), Math.round(size * 1e8)]
  const closed = side === Side.Buy ? -after : after
  assert.ok(closed >= 0 && by > 0, `${where}: a reduce-only fill of ${size} left ${position}`)
  return true
}

/** Asserts that two engines show every wallet the same margin. */
export function assertSameMargins(
  one: CoreInvariantsState,
  other: CoreInvariantsState,
  where: string,
): void {
  const [a, b] = [new MarginSummary(), new MarginSummary()]
  assert.equal(one.accounts.count, other.accounts.count)
  for (let account = 0; account < one.accounts.count; account++) {
    one.risk.summarize(account, a)
    other.risk.summarize(account, b)
    assert.deepEqual(b, a, `${where}: margin of account ${account}`)
    const counted = [one, other].map((state) => state.risk.positionsCounted[account])
    assert.equal(counted[1], counted[0], `${where}: positions counted of account ${account}`)
  }
}

/** Returns the entry cost of a wallet's perps, which no wallet has paid. */
export function perpCostMicros(state: CoreInvariantsState, account: number): number {
  const { exposures } = state.risk
  let micros = 0
  for (const row of exposuresIn(state, account)) {
    if (state.risk.isPerp(row)) micros += exposures.costMicros[row]!
  }
  return micros
}

function assertConserved(state: CoreInvariantsState, where: string): void {
  let cash = state.funds.totalMicros
  let deposits = state.funds.insuranceDepositsMicros
  for (let account = 0; account < state.accounts.count; account++) {
    cash += (state.risk.cashMicros[account] ?? 0) - perpCostMicros(state, account)
    deposits += state.accounts.depositsMicros[account] ?? 0
  }
  assert.equal(cash, deposits, `${where}: cash and funds change by deposits only`)
}

function assertPositionsCancelOut(state: CoreInvariantsState, where: string): void {
  const sums = new Float64Array(state.instruments.count)
  const { exposures, firstExposure } = state.risk
  for (let account = 0; account < state.accounts.count; account++) {
    let row = firstExposure[account] ?? none
    for (; row !== none; row = exposures.nextInAccount[row]!) {
      sums[exposures.instrument[row]!]! += exposures.positionLots[row]!
    }
  }
  assert.ok(
    sums.every((sum, instrument) => sum === 0 || isBeingPaid(state, instrument)),
    `${where}: positions ${sums}`,
  )
}

/** Returns true while an expiry is being paid: some wallets are paid, and others still have their positions. */
function isBeingPaid(
  { instruments, settlements }: CoreInvariantsState,
  instrument: number,
): boolean {
  if (instruments.state[instrument] !== InstrumentState.ExpiredPendingPrice) return false
  const { underlying, expiryMillis } = instruments
  const row = settlements.find(underlying[instrument]!, expiryMillis[instrument]!)
  return row?.phase === SettlementPhase.Paying
}

/** Asserts that a wallet's working reduce-only orders never add up to more than its position. */
function assertReduceOnly(state: CoreInvariantsState, where: string): void {
  const { exposures, firstExposure } = state.risk
  for (let account = 0; account < state.accounts.count; account++) {
    let row = firstExposure[account] ?? none
    for (; row !== none; row = exposures.nextInAccount[row]!) {
      const position = exposures.positionLots[row]!
      const [buys, sells] = [exposures.reduceOnlyBuyLots[row]!, exposures.reduceOnlySellLots[row]!]
      if (state.instruments.state[exposures.instrument[row]!] !== InstrumentState.Active) continue
      const held = `${where}: account ${account} holds ${position}, reduces by ${buys} and ${sells}`
      assert.ok(buys <= Math.max(0, -position) && sells <= Math.max(0, position), held)
    }
  }
}

function assertOrders(
  state: CoreInvariantsState,
  instrument: number,
  working: Int32Array,
  where: string,
): void {
  const { orders, orderIndex } = state
  let previousId = 0
  let slot = orders.firstOf(instrument)
  for (; slot !== none; slot = orders.nextInInstrument[slot]!) {
    const id = orders.orderId[slot]!
    const status = orders.status[slot]!
    assert.ok(id > previousId, `${where}: orders by age`)
    assert.ok(status >= OrderStatus.Acked && status <= OrderStatus.PartiallyFilled, where)
    assert.equal(orders.openLots[slot]! + orders.filledLots[slot]!, orders.sizeLots[slot], where)
    assert.equal(orderIndex.find(id), slot, `${where}: order ${id} is found`)
    const account = orders.account[slot]!
    const bytes = orders.clientIdBytes[slot]!
    if (bytes > 0) {
      const { texts } = orders
      const clientIdAt = orders.clientIdAt(slot)
      assert.equal(orderIndex.findClient(account, texts.bytes, clientIdAt, bytes), slot, where)
    }
    working[account]!++
    previousId = id
  }
}

function assertBook(
  state: CoreInvariantsState,
  instrument: number,
  books: FollowedBooks,
  where: string,
): void {
  const { orders, instruments } = state
  const levels = new Map<string, number>()
  const best = [0, Number.POSITIVE_INFINITY]
  if (instruments.state[instrument] === InstrumentState.Active) {
    let slot = orders.firstOf(instrument)
    for (; slot !== none; slot = orders.nextInInstrument[slot]!) {
      const price = orders.priceMicros[slot]! / 1e6
      const side = orders.side[slot]!
      const level = `${side} ${price}`
      levels.set(level, (levels.get(level) ?? 0) + orders.openLots[slot]!)
      best[side] = side === Side.Buy ? Math.max(best[side]!, price) : Math.min(best[side]!, price)
    }
  }
  for (const [level, lots] of levels) levels.set(level, lots / 1e8)
  assert.deepEqual(books.levelsOf(instrument), levels, `${where}: book ${instrument}`)
  assert.ok(best[0]! < best[1]!, `${where}: book ${instrument} is crossed`)
}
