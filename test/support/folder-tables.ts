import { none } from '../../engine/memory/rows.js'
import type { CoreState } from '../../engine/state/core-state.js'
import { Fund } from '../../engine/state/money/funds.js'
import { HaltMode, InstrumentState, instrumentStateNames, OrderFlag } from '../../schemas/domain.js'
import {
  liquidationModeNames,
  liquidationStateNames,
  SettlementPhase,
  SurfaceKind,
} from '../../schemas/record-values.js'

/** Rows by table, and sums of money, that any engine version must find in a folder. */
export type Tables = Readonly<Record<string, number>>

/** Counts the contents of a state under names that do not change with the layout of its tables. */
export function tablesOf(state: CoreState): Tables {
  return {
    ...countersOf(state),
    ...accountsOf(state),
    ...ordersOf(state),
    ...positionsOf(state),
    ...instrumentsOf(state),
    ...marksOf(state),
    ...expiriesOf(state),
    ...fundingOf(state),
    ...protectionOf(state),
    ...liquidationsOf(state),
    ...moneyOf(state),
  }
}

function countersOf(state: CoreState): Tables {
  const { orderCount, tradeCount, batchNumber, nowMillis, sink, clock } = state
  return {
    batches: batchNumber,
    events: sink.seq,
    'orders so far': orderCount,
    'trades so far': tradeCount,
    'engine millis': nowMillis,
    'clock alarm': clock.alarm,
    'clock step millis': clock.stepMillis,
    'clock offset millis': clock.offsetMillis,
  }
}

function accountsOf({ accounts, depositIds, risk }: CoreState): Tables {
  const all = Array.from({ length: accounts.count }, (_, account) => account)
  const windows = all.map((account) => accounts.nonces[account]!)
  const ofAgents = all.flatMap((account) => accounts.agentNonces[account] ?? [])
  const modes = [...risk.marginMode.subarray(0, accounts.count)]
  const tiers = [...risk.tier.subarray(0, accounts.count)]
  return {
    accounts: accounts.count,
    agents: sum(all.map((account) => accounts.agents.count(account))),
    'nonces of owners': sum(windows.map(({ count }) => count)),
    'nonces of agents': sum(ofAgents.map(({ count }) => count)),
    'windows that overflowed': [...windows, ...ofAgents].filter((one) => one.overflowed).length,
    'kept outcomes': sum(all.map((account) => accounts.outcomes[account]!.count)),
    'self-trade modes': [...accounts.selfTrade].filter((mode) => mode > 0).length,
    'margin modes': modes.filter((mode) => mode > 0).length,
    tiers: tiers.filter((tier) => tier > 0).length,
    'named deposits': depositIds.size,
  }
}

function ordersOf({ orders, orderIndex, instruments }: CoreState): Tables {
  const slots: number[] = []
  for (let instrument = 0; instrument < instruments.count; instrument++) {
    let slot = orders.firstOf(instrument)
    for (; slot !== none; slot = orders.nextInInstrument[slot]!) slots.push(slot)
  }
  let ended = 0
  orderIndex.forEachFinal(() => ended++)
  const flagged = (flag: number) =>
    slots.filter((slot) => (orders.flags[slot]! & flag) !== 0).length
  return {
    'working orders': slots.length,
    'working lots': sum(slots.map((slot) => orders.openLots[slot]!)),
    'orders filled in part': slots.filter((slot) => orders.filledLots[slot]! > 0).length,
    'orders with a client id': slots.filter((slot) => orders.clientIdBytes[slot]! > 0).length,
    'orders with a builder': slots.filter((slot) => orders.hasBuilder[slot] === 1).length,
    'reduce-only orders': flagged(OrderFlag.ReduceOnly),
    'protected orders': flagged(OrderFlag.MmpEnabled),
    'orders of liquidations': flagged(OrderFlag.Liquidation),
    'ended orders': ended,
  }
}

function positionsOf({ risk, accounts, instruments }: CoreState): Tables {
  const { exposures, firstExposure } = risk
  const rows: number[] = []
  for (let account = 0; account < accounts.count; account++) {
    let row = firstExposure[account]!
    for (; row !== none; row = exposures.nextInAccount[row]!) {
      if (exposures.positionLots[row] !== 0) rows.push(row)
    }
  }
  const perps = rows.filter((row) => instruments.isPerp(exposures.instrument[row]!))
  return {
    'option positions': rows.length - perps.length,
    'perp positions': perps.length,
    'lots held long': sum(rows.map((row) => Math.max(0, exposures.positionLots[row]!))),
    'entry cost micros': sum(rows.map((row) => exposures.costMicros[row]!)),
  }
}

function instrumentsOf({ instruments, haltModes, closing, ...state }: CoreState): Tables {
  const ids = Array.from({ length: instruments.count }, (_, id) => id)
  const byState = Object.values(InstrumentState).map((each) => [
    `instruments ${instrumentStateNames[each]}`,
    ids.filter((id) => instruments.state[id] === each).length,
  ])
  const underlyings = instruments.underlyingNames.length
  return {
    ...Object.fromEntries(byState),
    underlyings,
    'closing instruments': closing.length,
    halts: [...haltModes.subarray(0, underlyings)].filter((mode) => mode !== HaltMode.Open).length,
    'halt of new underlyings': state.haltModeAtListing,
    'highest indexes in USD': sum([...instruments.maxIndexMicros]) / 1e6,
  }
}

function marksOf({ instruments, marks, remarks }: CoreState): Tables {
  const inputs = instruments.underlyingNames.map((_, u) => marks.stateOf(u).inputs)
  const surfaces = inputs.flatMap((each) => each.surfaces)
  return {
    'surfaces of points': surfaces.filter(({ kind }) => kind === SurfaceKind.Points).length,
    'surfaces of svi': surfaces.filter(({ kind }) => kind === SurfaceKind.Svi).length,
    'index prices in USD': sum(inputs.map((each) => each.indexMicros)) / 1e6,
    'estimates of expiries': sum(inputs.map((each) => each.estimates.length)),
    'underlyings to re-mark': sum([...remarks.wanted]),
    'instruments re-marked by half': remarks.running === none ? 0 : remarks.marked,
  }
}

function expiriesOf({ settlements, instruments }: CoreState): Tables {
  const { rows, payoutCount, busy } = settlements
  const inPhase = (phase: SettlementPhase) => rows.filter((row) => row.phase === phase).length
  return {
    'expiries pending': inPhase(SettlementPhase.Pending),
    'expiries being paid': inPhase(SettlementPhase.Paying),
    'expiries settled': inPhase(SettlementPhase.Settled),
    'expiries busy': busy.length,
    payouts: payoutCount,
    'index samples': sum(instruments.underlyingNames.map((_, u) => settlements.samplesOf(u).count)),
  }
}

function fundingOf({ fundings }: CoreState): Tables {
  const { perps, rounds, paymentCount } = fundings
  return {
    'perps with samples': perps.filter(({ sampleCount }) => sampleCount > 0).length,
    'perps with a rate': perps.filter(({ endMillis }) => endMillis > 0).length,
    'funding rounds': rounds.length,
    'funding shares left': sum(rounds.map(({ accounts, next }) => accounts.length - next)),
    'funding payments': paymentCount,
  }
}

function protectionOf({ mmp, builders }: CoreState): Tables {
  const rows = [...mmp.rows]
  const addresses = [40, 41, 42].map((number) => {
    const bytes = new Uint8Array(20)
    bytes[19] = number
    return bytes
  })
  return {
    protections: rows.length,
    'protected fills': sum(rows.map(({ count }) => count)),
    'protections frozen': rows.filter((row) => row.frozenUntilMillis > 0).length,
    'active builders': addresses.filter((bytes) => builders.isActive(bytes, 0)).length,
  }
}

function liquidationsOf({ liquidations }: CoreState): Tables {
  const { rows, auctionCount } = liquidations
  const named = rows.map(
    ({ mode, state }) => liquidationModeNames[mode] ?? liquidationStateNames[state],
  )
  const count = (name: string) => named.filter((each) => each === name).length
  return {
    'wallets in partial liquidation': count('partial'),
    'wallets in full liquidation': count('full'),
    'wallets liquidated': count('liquidated'),
    'auctions so far': auctionCount,
    'auctions under way': rows.filter(({ auction }) => auction > 0).length,
    'insurance paid in micros': sum(rows.map(({ insuranceMicros }) => insuranceMicros)),
    'losses of others in micros': sum(
      rows.map(({ deleveragedMicros, sharedMicros }) => deleveragedMicros + sharedMicros),
    ),
    'liquidation fees in micros': sum(rows.map(({ feeMicros }) => feeMicros)),
  }
}

function moneyOf({ accounts, risk, funds }: CoreState): Tables {
  const { Fees, Insurance, Dust, Clearing } = Fund
  const { balanceMicros } = funds
  return {
    'cash micros': sum([...risk.cashMicros.subarray(0, accounts.count)]),
    'deposits micros': sum([...accounts.depositsMicros]) + funds.insuranceDepositsMicros,
    'fees micros': balanceMicros[Fees]!,
    'insurance micros': balanceMicros[Insurance]!,
    'dust micros': balanceMicros[Dust]!,
    'clearing micros': balanceMicros[Clearing]!,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
