import { none } from '../../engine/memory/rows.js'
import type { InstrumentTable } from '../../engine/pricing/instruments.js'
import type { RiskEngine } from '../../engine/risk/risk-engine.js'
import type { Accounts } from '../../engine/state/accounts/accounts.js'
import type { EventSink } from '../../engine/state/event-sink.js'
import type { FundingTable } from '../../engine/state/market/funding-table.js'
import type { LiquidationTable } from '../../engine/state/market/liquidation-table.js'
import type { SettlementTable } from '../../engine/state/market/settlement-table.js'
import type { OrderStore } from '../../engine/state/orders/orders.js'
import type { Table } from '../../engine/tables/describe.js'
import { accounts, instruments, wallets } from '../../engine/tables/layouts/dense.js'
import { liquidations, perps, settlements } from '../../engine/tables/layouts/lifecycle.js'
import { orders } from '../../engine/tables/layouts/orders.js'
import { exposures } from '../../engine/tables/layouts/risk.js'
import type { Right } from '../../schemas/domain.js'
import { enumerationName } from '../../schemas/record-rules/decode-record.js'
import { formatSymbol } from '../../schemas/symbol.js'
import { addressBytes, formatAddress } from '../../schemas/wallet.js'

export interface StateTablesState {
  readonly instruments: InstrumentTable
  readonly accounts: Accounts
  readonly risk: RiskEngine
  readonly orders: OrderStore
  readonly settlements: SettlementTable
  readonly liquidations: LiquidationTable
  readonly fundings: FundingTable
  readonly batchNumber: number
  readonly sink: EventSink
  readonly nowMillis: number
  readonly orderCount: number
  readonly tradeCount: number
}

/** Row of a table: its key and its state columns. Derived columns are left out. */
export type StateRow = Readonly<Record<string, unknown>>

/** Tables that can be inspected, each with a function that returns its rows. */
export const stateTables: Readonly<
  Record<string, (state: StateTablesState) => Iterable<StateRow>>
> = {
  instruments: (state) =>
    ids(state.instruments.count).map((instrument) => ({
      ...{ instrument, symbol: symbolOf(state, instrument) },
      ...cells(instruments, state.instruments, instrument),
    })),
  accounts: ({ accounts: table, risk }) =>
    ids(table.count).map((account) => ({
      ...{ account, wallet: walletOf(table, account) },
      ...cells(accounts, table, account),
      ...cells(wallets, risk, account),
    })),
  orders: (state) =>
    [...state.orders.working()].map((slot) => ({
      wallet: walletOf(state.accounts, state.orders.account[slot]!),
      symbol: symbolOf(state, state.orders.instrument[slot]!),
      ...cells(orders, state.orders, slot),
    })),
  exposures: (state) =>
    exposureRows(state).map((row) => ({
      wallet: walletOf(state.accounts, state.risk.exposures.account[row]!),
      symbol: symbolOf(state, state.risk.exposures.instrument[row]!),
      ...cells(exposures, state.risk.exposures, row),
    })),
  settlements: ({ settlements: table }) => table.rows.map((row) => objectCells(settlements, row)),
  liquidations: ({ liquidations: table }) =>
    table.byAccount().map((row) => objectCells(liquidations, row)),
  perps: ({ fundings }) => fundings.perps.map((row) => objectCells(perps, row)),
}

/** Returns the row count of each table, and the counters of the state. */
export function countsOf(state: StateTablesState): Readonly<Record<string, number>> {
  const counts = Object.entries(stateTables).map(([name, rowsOf]) => [
    name,
    [...rowsOf(state)].length,
  ])
  return {
    ...{ batches: state.batchNumber, events: state.sink.seq, engineMillis: state.nowMillis },
    ...{ ordersSoFar: state.orderCount, tradesSoFar: state.tradeCount },
    ...Object.fromEntries(counts),
  }
}

export function symbolOf({ instruments: table }: StateTablesState, instrument: number): string {
  const underlying = table.underlyingNames[table.underlying[instrument]!]
  if (underlying === undefined) return String(instrument)
  return formatSymbol({
    underlying,
    expiryDate: table.expiryDate[instrument]!,
    strikeMicros: table.strikeMicros[instrument]!,
    right: table.right[instrument] as Right,
  })
}

export function walletOf({ addresses }: StateTablesState['accounts'], account: number): string {
  const bytes = new Uint8Array(addressBytes)
  addresses.write(account, bytes, 0)
  return formatAddress(bytes, 0)
}

function exposureRows({ accounts: table, risk }: StateTablesState): readonly number[] {
  const rows: number[] = []
  for (let account = 0; account < table.count; account++) {
    let row = risk.firstExposure[account]!
    for (; row !== none; row = risk.exposures.nextInAccount[row]!) {
      if (risk.exposures.isKept(row)) rows.push(row)
    }
  }
  return rows
}

function cells({ columns }: Table, table: object, row: number): StateRow {
  return shownColumns(columns, (name) => (Reflect.get(table, name) as ArrayLike<unknown>)[row])
}

function objectCells({ columns }: Table, row: object): StateRow {
  return shownColumns(columns, (name) => Reflect.get(row, name))
}

function shownColumns(columns: Table['columns'], valueIn: (name: string) => unknown): StateRow {
  const shown = columns.filter(({ derivedFrom }) => derivedFrom === null)
  return Object.fromEntries(
    shown.map(({ name, holds }) => {
      const value = valueIn(name)
      if (typeof value === 'bigint') return [name, String(value)]
      return [name, typeof value === 'number' ? enumerationName(holds, value) : value]
    }),
  )
}

function ids(count: number): readonly number[] {
  return Array.from({ length: count }, (_, id) => id)
}
