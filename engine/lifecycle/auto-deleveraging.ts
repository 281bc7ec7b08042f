import { assert } from '../../schemas/assert.js'
import { lotsPerContract, moneyMicrosMax } from '../../schemas/bounds.js'
import {
  AccountChange,
  FundsChange,
  LiquidationMode,
  TransferCause,
} from '../../schemas/record-values.js'
import { none } from '../memory/rows.js'
import { publishFunds } from '../publish/publish-funds.js'
import { publishAccount } from '../publish/publish-market.js'
import { ceilDiv, halfEvenDiv } from '../risk/exact-share.js'
import { mulDivHalfEven, valueMicros } from '../risk/money.js'
import { MaintenanceMargin, PositionMargin } from '../risk/order-check.js'
import { type Judgement, judge } from '../state/judgement.js'
import { positionsOf } from '../state/wallet-rows.js'
import type { Liquidation } from '../tables/generated/liquidation.js'
import { chargeFee, feeMicrosOf, type LiquidationFeeState } from './liquidation-fee.js'
import { drawInsurance, type LossSharingState } from './loss-sharing.js'
import { type Move, movePosition, type PositionMoveState } from './position-move.js'

export interface AutoDeleveragingState
  extends LossSharingState,
    LiquidationFeeState,
    PositionMoveState {}

const margin = new MaintenanceMargin()
const alone = new PositionMargin()

/** A position of the account, with the part of the loss that its other side bears. */
export interface Closing {
  readonly instrument: number
  /** Signed. */
  readonly positionLots: number
  /** Absolute value of the whole position at its mark. */
  readonly valueMicros: number
  readonly marginMicros: number
  /** Counterparties that take over the whole position, by rank, with the lots of each. */
  readonly takers: readonly Taker[]
  deficitMicros: number
}

/** Wallet that takes over part of a position. */
export interface Taker {
  readonly account: number
  readonly sizeLots: number
}

/** Wallet on the other side of a position. */
export interface Counterparty {
  readonly account: number
  readonly sizeLots: number
  readonly unrealizedMicros: number
  readonly entryMicros: number
  readonly valueMicros: number
  readonly equityMicros: number
}

/**
 * Last step of the loss waterfall. The insurance fund pays what it can. Then every position of the account is closed at
 * its bankruptcy price against the other side, by rank. The total cash of all wallets and the fund does not change. All
 * positions have marks, and none awaits its settlement.
 */
export function deleverage(
  state: AutoDeleveragingState,
  row: Liquidation,
  judged: Judgement,
): void {
  assert(row.mode === LiquidationMode.Full, 'deleveraging: only in the full liquidation phase')
  assert(row.standingMillis === 0, 'deleveraging: no position moves while its market is closed')
  const owedMicros = Math.max(0, -judged.equityMicros)
  const paidMicros = drawInsurance(state, row, owedMicros)
  if (paidMicros > 0) publishFunds(state, FundsChange.Liquidation)
  const closings = positionsOf(state, row.account).map((exposure) => closingOf(state, exposure))
  const unassignedMicros = shareDeficit(
    closings,
    owedMicros - paidMicros,
    capacitiesOf(state, closings),
  )
  assert(unassignedMicros >= 0, 'deleveraging: counterparties bear at most the debt')
  state.liquidations.amend(row, (changed) => {
    changed.deleveragedMicros += owedMicros - paidMicros - unassignedMicros
    changed.version++
    changed.positionsVersion = changed.version
  })
  let feeMicros = 0
  for (const closing of closings) {
    close(state, row.account, closing)
    feeMicros += feeMicrosOf(state, closing.instrument, Math.abs(closing.positionLots))
  }
  assert(positionsOf(state, row.account).length === 0, 'deleveraging: every position is closed')
  const { equityMicros } = judge(state, row.account)
  const wantedMicros = Math.max(0, judged.equityMicros) - unassignedMicros
  assert(equityMicros === wantedMicros, 'deleveraging: the shares cover the unpaid debt')
  const chargedMicros = chargeFee(state, row.account, feeMicros)
  if (chargedMicros > 0) {
    publishAccount(state, row.account, AccountChange.Liquidation, -chargedMicros)
  }
}

/** Returns the equity of each wallet that takes over a position: the most that it can bear over all of them. */
function capacitiesOf(
  state: AutoDeleveragingState,
  closings: readonly Closing[],
): Map<number, number> {
  const capacities = new Map<number, number>()
  for (const { takers } of closings) {
    for (const { account } of takers) {
      state.risk.maintenance(account, margin)
      capacities.set(account, Math.max(0, margin.equityMicros))
    }
  }
  return capacities
}

/**
 * Shares a deficit over positions by their maintenance margin. A long bears at most its whole value, a short pays at most
 * the highest price, and no wallet bears more than its equity. The remainder goes to positions that can bear it.
 * @param capacities by account, the amount that it can bear; reduced by its parts.
 * @returns the amount that the positions cannot bear.
 */
export function shareDeficit(
  closings: readonly Closing[],
  deficitMicros: number,
  capacities: Map<number, number>,
): number {
  const totalMicros = closings.reduce((sum, { marginMicros }) => sum + marginMicros, 0)
  let unassignedMicros = deficitMicros
  for (const closing of closings) {
    const part =
      totalMicros === 0 ? 0 : halfEvenPart(deficitMicros, closing.marginMicros, totalMicros)
    unassignedMicros -= bear(closing, Math.min(part, unassignedMicros), capacities)
  }
  for (const closing of closings) unassignedMicros -= bear(closing, unassignedMicros, capacities)
  return unassignedMicros
}

/**
 * Assigns a part of the deficit to a position. All its takers get the same price, so the one that can bear least sets
 * the bound.
 */
function bear(closing: Closing, micros: number, capacities: Map<number, number>): number {
  const { positionLots, takers, valueMicros: worth, deficitMicros } = closing
  const wholeLots = BigInt(Math.abs(positionLots))
  const mostMicros = positionLots > 0 ? priceableMicros(positionLots) - worth : worth
  let boundMicros = mostMicros - deficitMicros
  for (const { account, sizeLots } of takers) {
    const capacity = BigInt(capacities.get(account) ?? 0)
    // One micro less, for the rounding of single takers' amounts.
    const most = Number((capacity * wholeLots) / BigInt(sizeLots)) - 1
    boundMicros = Math.min(boundMicros, most)
  }
  const assignedMicros = Math.max(0, Math.min(micros, boundMicros))
  for (const { account, sizeLots } of takers) {
    const part = Number(ceilDiv(BigInt(assignedMicros) * BigInt(sizeLots), wholeLots))
    capacities.set(account, Math.max(0, (capacities.get(account) ?? 0) - part))
  }
  closing.deficitMicros += assignedMicros
  return assignedMicros
}

/** Returns the most for which lots can be closed: at the highest exact price. */
function priceableMicros(lots: number): number {
  return Number((BigInt(moneyMicrosMax - 1) * BigInt(lots)) / BigInt(lotsPerContract))
}

function halfEvenPart(amount: number, part: number, whole: number): number {
  return Number(halfEvenDiv(BigInt(amount) * BigInt(part), BigInt(whole)))
}

function closingOf(state: AutoDeleveragingState, exposure: number): Closing {
  const { exposures } = state.risk
  const instrument = exposures.instrument[exposure]
  const positionLots = exposures.positionLots[exposure]
  state.risk.positionMargin(exposure, alone)
  return {
    instrument,
    positionLots,
    valueMicros: valueMicros(state.marks.markMicros[instrument], Math.abs(positionLots)),
    marginMicros: alone.mmMicros,
    takers: takersOf(state, state.risk.exposures.account[exposure], instrument, positionLots),
    deficitMicros: 0,
  }
}

/** Closes one position at its bankruptcy price. The amounts sum to the exact total, however the prices are rounded. */
function close(state: AutoDeleveragingState, account: number, closing: Closing): void {
  const { instrument, positionLots, valueMicros: worth, deficitMicros } = closing
  const isLong = positionLots > 0
  const sizeLots = Math.abs(positionLots)
  const totalMicros = worth + (isLong ? deficitMicros : -deficitMicros)
  const priceMicros = mulDivHalfEven(totalMicros, lotsPerContract, sizeLots)
  assert(
    Number.isSafeInteger(totalMicros) && totalMicros >= 0,
    'deleveraging: the total price is a safe integer',
  )
  let [doneLots, doneMicros] = [0, 0]
  for (const other of closing.takers) {
    const lots = other.sizeLots
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
  assert(doneMicros === totalMicros, 'deleveraging: parts add up to the total price')
}

/** Returns the wallets that take over a position: the other side by rank, until all lots are assigned. */
function takersOf(
  state: AutoDeleveragingState,
  account: number,
  instrument: number,
  positionLots: number,
): Taker[] {
  let leftLots = Math.abs(positionLots)
  const takers: Taker[] = []
  for (const other of rankedAgainst(state, account, instrument, positionLots > 0)) {
    if (leftLots === 0) break
    const sizeLots = Math.min(other.sizeLots, leftLots)
    leftLots -= sizeLots
    takers.push({ account: other.account, sizeLots })
  }
  assert(leftLots === 0, 'deleveraging: counterparties hold enough lots')
  return takers
}

/** Returns the holders of the other side of a position; the highest profit with the highest leverage comes first. */
function rankedAgainst(
  state: AutoDeleveragingState,
  account: number,
  instrument: number,
  isLong: boolean,
): Counterparty[] {
  const { exposures } = state.risk
  const others: Counterparty[] = []
  state.risk.holdersOf(state.instruments.underlying[instrument]).forEach((other) => {
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
    return Buffer.compare(one, two)
  })
}

function counterpartyOf(
  state: AutoDeleveragingState,
  account: number,
  exposure: number,
): Counterparty {
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
 * Compares (max(0, unrealized profit) ÷ entry value) × (value ÷ equity) of two wallets without rounding. A wallet
 * without equity ranks last, because it can bear nothing.
 * @returns a value below, at or above 0 if `a` ranks lower, equal or higher.
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

/** An entry value of 0 counts as one micro. */
function rankDivisor({ entryMicros, equityMicros }: Counterparty): bigint {
  return BigInt(Math.max(1, entryMicros)) * BigInt(equityMicros)
}
