import { OrderFlag } from '../../schemas/domain.js'
import { countsAsTakerFlag } from '../matching/records.js'
import { microsOfUsd } from '../pricing/rounding.js'
import type { CoreState } from './core-state.js'
import { OrderTerms } from './matcher-links.js'

// The one way of an order to its matcher, whoever sends it: a wallet, a liquidation or a snapshot that loads.

/** Of the order that is sent at the moment. */
const terms = new OrderTerms()

/** Sends the order in `slot` to its matcher as new. */
export function sendPlace(state: CoreState, ticket: number, slot: number): void {
  const { matchers, orders } = state
  setTerms(state, slot)
  matchers.place(matchers.of(terms.underlying), ticket, orders, slot, terms)
}

/** Sends the order in `slot` to its matcher in place of the one in `oldSlot`. */
export function sendReplace(state: CoreState, ticket: number, slot: number, oldSlot: number): void {
  const { matchers, orders } = state
  setTerms(state, slot)
  matchers.replace(matchers.of(terms.underlying), ticket, orders, slot, oldSlot, terms)
}

/** What the core knows of the order in `slot` beyond its own terms; a greek that is missing counts 0. */
function setTerms(state: CoreState, slot: number): void {
  const { accounts, config, instruments, marks, orders, risk } = state
  const instrument = orders.instrument[slot]
  const flags = orders.flags[slot]
  const closes = (flags & OrderFlag.ReduceOnly) !== 0
  const isProtected = (flags & OrderFlag.MmpEnabled) !== 0
  terms.underlying = instruments.underlying[instrument]
  terms.selfTrade = accounts.selfTrade[orders.account[slot]]
  terms.flags = isProtected && config.mmpCountTakerFills ? countsAsTakerFlag : 0
  terms.positionLots = closes ? risk.exposures.positionLots[orders.exposure[slot]] : 0
  terms.nowMillis = state.nowMillis
  // Halves to even, as micros of USD do.
  terms.deltaMicros = microsOfUsd(marks.delta[instrument]) || 0
  terms.vegaMicros = microsOfUsd(marks.vegaPerPoint[instrument]) || 0
}
