import { InstrumentState } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { RiskEngine } from '../risk/risk-engine.js'
import type { Accounts } from '../state/accounts/accounts.js'
import type { OrderStore } from '../state/orders/orders.js'

export interface StateRowsState {
  readonly accounts: Accounts
  readonly risk: RiskEngine
  readonly orders: OrderStore
  readonly instruments: InstrumentTable
}

// Iterators over lists of the state.

/** Yields the exposures of all accounts, or of one. */
export function* exposuresIn({ accounts, risk }: StateRowsState, only = -1): Generator<number> {
  const { exposures, firstExposure } = risk
  const [from, to] = only < 0 ? [0, accounts.count] : [only, only + 1]
  for (let account = from; account < to; account++) {
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) yield row
  }
}

/** Yields the working orders of an instrument, oldest first. */
export function* ordersIn({ orders }: StateRowsState, instrument: number): Generator<number> {
  let slot = orders.firstOf(instrument)
  for (; slot !== none; slot = orders.nextInInstrument[slot]) yield slot
}

/** Yields the instruments that may trade. */
export function* activeIn({ instruments }: StateRowsState): Generator<number> {
  for (let instrument = 0; instrument < instruments.count; instrument++) {
    if (instruments.state[instrument] === InstrumentState.Active) yield instrument
  }
}
