import { assert } from '../../schemas/assert.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { AccountChange } from '../../schemas/events.js'
import { FundsChange } from '../../schemas/funds.js'
import { TransferCause } from '../../schemas/liquidation.js'
import type { CoreState } from '../core/core-state.js'
import { Fund } from '../core/funds.js'
import { none } from '../core/orders.js'
import { publishAccount } from '../core/publish.js'
import { publishFunds } from '../core/publish-funds.js'
import { mulDivHalfEven, valueMicros } from '../risk/money.js'
import { MaintenanceMargin, PositionMargin } from '../risk/order-check.js'
import { halfEvenDiv } from './exact-share.js'
import { positionsOf } from './holdings.js'
import { type Judgement, judge } from './judgement.js'
import { chargeFee, feeMicrosOf } from './liquidation-fee.js'
import type { Liquidation } from './liquidation-table.js'
import { type Move, movePosition } from './position-move.js'

const margin = new MaintenanceMargin()
const alone = new PositionMargin()

/** A position of the account, with the part of the loss that its other side bears. */
export interface Closing {
  readonly instrument: number
  /** Signed. */
  readonly positionLots: number
  /** Of the whole position at its mark, 0 or more. */
  readonly valueMicros: number
  readonly marginMicros: number
  deficitMicros: number
}

/** Somebody on the other side of a position. */
export interface Counterparty {
  readonly account: number
  readonly sizeLots: number
  readonly unrealizedMicros: number
  readonly entryMicros: number
  readonly valueMicros: number
  readonly equityMicros: number
}

/**
 * The end of the loss order: the insurance fund pays what it can, then every position of the account is
 * closed at its bankruptcy price against the other side, by rank. Cash of all wallets and the fund stays what it was.
 * All of them are marked, and none awaits its settlement.
 */
export function deleverage(state: CoreState, row: Liquidation, judged: Judgement): void {
  const owedMicros = Math.max(0, -judged.equityMicros)
  const paidMicros = drawInsurance(state, row, owedMicros)
  if (paidMicros > 0) publishFunds(state, FundsChange.Liquidation)
  const closings = positionsOf(state, row.account).map((exposure) => closingOf(state, exposure))
  const leftMicros = shareDeficit(closings, owedMicros - paidMicros)
  state.liquidations.amend(row, (changed) => {
    changed.deleveragedMicros += owedMicros - paidMicros - leftMicros
    changed.version++
    changed.positionsVersion = changed.version
  })
  let feeMicros = 0
  for (const closing of closings) {
    close(state, row.account, closing)
    feeMicros += feeMicrosOf(state, closing.instrument, Math.abs(closing.positionLots))
  }
  const { equityMicros } = judge(state, row.account)
  const wantedMicros = Math.max(0, judged.equityMicros) - leftMicros
  assert(equityMicros === wantedMicros, 'deleveraging: what was not paid was borne')
  const chargedMicros = chargeFee(state, row.account, feeMicros)
  if (chargedMicros > 0) {
    publishAccount(state, row.account, AccountChange.Liquidation, -chargedMicros)
  }
}

/** Takes from the insurance fund, down to 0, for the account. @returns what it got. */
export function drawInsurance(state: CoreState, row: Liquidation, owedMicros: number): number {
  const { funds, risk } = state
  const heldMicros = Math.max(0, funds.balanceMicros[Fund.Insurance])
  const paidMicros = Math.min(heldMicros, owedMicros)
  if (paidMicros === 0) return 0
  funds.move(Fund.Insurance, -paidMicros)
  risk.creditCash(row.account, paidMicros)
  state.liquidations.amend(row, (changed) => {
    changed.insuranceMicros += paidMicros
  })
  publishAccount(state, row.account, AccountChange.Liquidation, paidMicros)
  return paidMicros
}

/**
 * Shares a deficit over positions by their maintenance margin. The other side of a short can give up no more than the
 * whole value of its longs; what that leaves goes to the positions that can bear it.
 * @returns what nobody can bear.
 */
export function shareDeficit(closings: readonly Closing[], deficitMicros: number): number {
  const totalMicros = closings.reduce((sum, { marginMicros }) => sum + marginMicros, 0)
  let leftMicros = deficitMicros
  for (const closing of closings) {
    const part =
      totalMicros === 0 ? 0 : halfEvenPart(deficitMicros, closing.marginMicros, totalMicros)
    leftMicros -= bear(closing, Math.min(part, leftMicros))
  }
  for (const closing of closings) leftMicros -= bear(closing, leftMicros)
  return leftMicros
}

function bear(closing: Closing, micros: number): number {
  const room = closing.positionLots > 0 ? micros : closing.valueMicros - closing.deficitMicros
  const borneMicros = Math.max(0, Math.min(micros, room))
  closing.deficitMicros += borneMicros
  return borneMicros
}

function halfEvenPart(amount: number, part: number, whole: number): number {
  return Number(halfEvenDiv(BigInt(amount) * BigInt(part), BigInt(whole)))
}

function closingOf(state: CoreState, exposure: number): Closing {
  const { exposures } = state.risk
  const instrument = exposures.instrument[exposure]
  const positionLots = exposures.positionLots[exposure]
  state.risk.positionMargin(exposure, alone)
  return {
    instrument,
    positionLots,
    valueMicros: valueMicros(state.marks.markMicros[instrument], Math.abs(positionLots)),
    marginMicros: alone.mmMicros,
    deficitMicros: 0,
  }
}

/** Closes one position at its bankruptcy price; the amounts add up to the micro, whatever the prices round to. */
function close(state: CoreState, account: number, closing: Closing): void {
  const { instrument, positionLots, valueMicros: worth, deficitMicros } = closing
  const isLong = positionLots > 0
  const sizeLots = Math.abs(positionLots)
  const totalMicros = worth + (isLong ? deficitMicros : -deficitMicros)
  const priceMicros = mulDivHalfEven(totalMicros, lotsPerContract, sizeLots)
  let [doneLots, doneMicros] = [0, 0]
  for (const other of rankedAgainst(state, account, instrument, isLong)) {
    if (doneLots === sizeLots) break
    const lots = Math.min(other.sizeLots, sizeLots - doneLots)
    doneLots += lots
    const upToMicros = mulDivHalfEven(totalMicros, doneLots, sizeLots)
    const move: Move = {
      instrument,
      seller: isLong ? account : other.account,
      buyer: isLong ? other.account : account,
      sizeLots: lots,
      priceMicros,
      premiumMicros: upToMicros - doneMicros,
    }
    movePosition(state, move, TransferCause.Deleveraging)
    doneMicros = upToMicros
  }
  assert(doneLots === sizeLots, 'deleveraging: positions of an instrument add up to zero')
}

/** Holders of the other side of a position, whoever gains most on most leverage first. */
function rankedAgainst(
  state: CoreState,
  account: number,
  instrument: number,
  isLong: boolean,
): Counterparty[] {
  const { exposures, ledger } = state.risk
  const others: Counterparty[] = []
  ledger.holdersOf(state.instruments.underlying[instrument]).forEach((other) => {
    const exposure = state.risk.findExposure(other, instrument)
    if (other === account || exposure === none) return
    const lots = exposures.positionLots[exposure]
    if (lots === 0 || lots > 0 === isLong) return
    others.push(counterpartyOf(state, other, exposure))
  })
  const { addresses } = state.accounts
  const [one, two] = [new Uint8Array(20), new Uint8Array(20)]
  return others.sort((a, b) => {
    const order = compareRanks(b, a)
    if (order !== 0) return order
    addresses.write(a.account, one, 0)
    addresses.write(b.account, two, 0)
    return compareBytes(one, two)
  })
}

function counterpartyOf(state: CoreState, account: number, exposure: number): Counterparty {
  const { exposures } = state.risk
  const lots = exposures.positionLots[exposure]
  const worth = valueMicros(state.marks.markMicros[exposures.instrument[exposure]], lots)
  const cost = exposures.costMicros[exposure]
  state.risk.maintenance(account, margin)
  return {
    account,
    sizeLots: Math.abs(lots),
    unrealizedMicros: worth - cost,
    entryMicros: Math.abs(cost),
    valueMicros: Math.abs(worth),
    equityMicros: margin.equityMicros,
  }
}

/**
 * Compares (max(0, unrealised profit) ÷ entry value) × (value ÷ equity) of two wallets without a rounding. Whoever
 * has no equity comes last: there is nothing to take.
 * @returns below 0, 0 or above, as `a` ranks lower, equal or higher.
 */
export function compareRanks(a: Counterparty, b: Counterparty): number {
  const [isA, isB] = [a.equityMicros > 0, b.equityMicros > 0]
  if (!isA || !isB) return Number(isA) - Number(isB)
  const difference = rankNumerator(a) * rankDivisor(b) - rankNumerator(b) * rankDivisor(a)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

function rankNumerator({ unrealizedMicros, valueMicros: worth }: Counterparty): bigint {
  return BigInt(Math.max(0, unrealizedMicros)) * BigInt(worth)
}

/** What cost nothing counts as a micro. */
function rankDivisor({ entryMicros, equityMicros }: Counterparty): bigint {
  return BigInt(Math.max(1, entryMicros)) * BigInt(equityMicros)
}

function compareBytes(one: Uint8Array, two: Uint8Array): number {
  for (let i = 0; i < one.length; i++) if (one[i] !== two[i]) return one[i] - two[i]
  return 0
}
