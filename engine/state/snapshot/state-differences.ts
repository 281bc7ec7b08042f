import { formatUuid } from '../../../schemas/uuid.js'
import { none } from '../../memory/rows.js'
import type { InstrumentTable } from '../../pricing/instruments.js'
import type { RiskEngine } from '../../risk/risk-engine.js'
import type { Settlement } from '../../tables/generated/settlement.js'
import type { Accounts } from '../accounts/accounts.js'
import type { FundingTable } from '../market/funding-table.js'
import type { LiquidationTable } from '../market/liquidation-table.js'
import type { SettlementTable } from '../market/settlement-table.js'
import type { EndedWithdrawal, Withdrawal, WithdrawalTable } from '../money/withdrawal-table.js'
import type { OrderIndex } from '../orders/order-index.js'
import type { OrderStore } from '../orders/orders.js'

interface StateDifferencesState {
  readonly risk: RiskEngine
  readonly accounts: Accounts
  readonly instruments: InstrumentTable
  readonly orders: OrderStore
  readonly orderIndex: OrderIndex
  readonly settlements: SettlementTable
  readonly liquidations: LiquidationTable
  readonly fundings: FundingTable
  readonly withdrawals: WithdrawalTable
}

// Compares two states, column by column. It names what a snapshot lost or a replica added, where two hashes only
// differ. Derived columns are ignored.

/** A row of a table, with its name in messages. */
interface NamedRow<T> {
  readonly key: string
  readonly row: T
}

/**
 * Compares the columns of the described tables with those of the other state.
 * @returns one sentence per difference, with table, row and column; none if the states are equal.
 */
export function differencesOf(
  one: StateDifferencesState,
  other: StateDifferencesState,
): readonly string[] {
  const [ledger, otherLedger] = [one.risk, other.risk]
  const { accounts, instruments, orders } = one
  return [
    ...rowsThat('instrument', ids(instruments.count), ids(other.instruments.count), (id) =>
      instruments.differences(id, other.instruments, id),
    ),
    ...rowsThat('account', ids(accounts.count), ids(other.accounts.count), (account) => [
      ...accounts.differences(account, other.accounts, account),
      ...ledger.differences(account, otherLedger, account),
    ]),
    ...rowsThat('order', ordersOf(one), ordersOf(other), (slot, otherSlot) =>
      orders.differences(slot, other.orders, otherSlot),
    ),
    ...rowsThat('exposure', exposuresOf(one), exposuresOf(other), (row, otherRow) =>
      ledger.exposures.differences(row, otherLedger.exposures, otherRow),
    ),
    ...rowsThat('settlement', settlementsOf(one), settlementsOf(other), (row, otherRow) =>
      row.differences(otherRow),
    ),
    ...rowsThat('liquidation', liquidationsOf(one), liquidationsOf(other), (row, otherRow) =>
      row.differences(otherRow),
    ),
    ...rowsThat('perp', perpsOf(one), perpsOf(other), (row, otherRow) => row.differences(otherRow)),
    ...rowsThat('withdrawal', withdrawalsOf(one), withdrawalsOf(other), withdrawalDifferences),
    ...rowsThat('ended withdrawal', endedOf(one), endedOf(other), endedDifferences),
  ]
}

const withdrawalDifferences = differingFields<Withdrawal>(
  ...(['account', 'amountMicros', 'destination', 'createdMillis', 'delivery', 'txHash'] as const),
)
const endedDifferences = differingFields<EndedWithdrawal>('number', 'domain', 'delivery')

/** Returns a comparison for rows that no table describes: the names of the fields that differ. */
function differingFields<T>(...names: readonly (keyof T & string)[]) {
  const textOf = (row: T, name: keyof T) => String(row[name])
  return (row: T, other: T) => names.filter((name) => textOf(row, name) !== textOf(other, name))
}

/** Returns the rows that only one state has or that have another position, and the differing columns of the others. */
function rowsThat<T>(
  table: string,
  rows: readonly NamedRow<T>[],
  others: readonly NamedRow<T>[],
  columnsOf: (row: T, other: T) => readonly string[],
): readonly string[] {
  if (rows.length !== others.length) return [`${table}: ${rows.length} rows, not ${others.length}`]
  return rows.flatMap(({ key, row }, place) => {
    const other = others[place]
    if (other.key !== key) return [`${table} ${key} has the place of ${other.key}`]
    return columnsOf(row, other.row).map((column) => `${table} ${key}: ${column}`)
  })
}

function ids(count: number): readonly NamedRow<number>[] {
  return Array.from({ length: count }, (_, id) => ({ key: String(id), row: id }))
}

/** Returns working orders as their books queue them, then the final orders whose facts are kept, oldest first. */
function ordersOf({ orderIndex, orders }: StateDifferencesState): readonly NamedRow<number>[] {
  const slots = [...orders.working()]
  orderIndex.forEachFinal((slot) => slots.push(slot))
  return slots.map((slot) => ({ key: String(orders.orderId[slot]), row: slot }))
}

/** Returns the exposures that are part of the state: with a position or realized profit, by account and instrument. */
function exposuresOf({ accounts, risk }: StateDifferencesState): readonly NamedRow<number>[] {
  const { exposures, firstExposure } = risk
  return Array.from({ length: accounts.count }, (_, account) => {
    const rows: number[] = []
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      if (exposures.isKept(row)) rows.push(row)
    }
    rows.sort((a, b) => exposures.instrument[a] - exposures.instrument[b])
    return rows.map((place) => ({
      key: `${account} in ${exposures.instrument[place]}`,
      row: place,
    }))
  }).flat()
}

function settlementsOf({ settlements: { rows, busy } }: StateDifferencesState) {
  const namedBy = (suffix: string) => (row: Settlement) => ({
    key: `${row.underlying} at ${row.expiryMillis}${suffix}`,
    row,
  })
  return [...rows.map(namedBy('')), ...busy.map(namedBy(', busy'))]
}

function liquidationsOf({ liquidations }: StateDifferencesState) {
  return liquidations.byAccount().map((row) => ({ key: String(row.account), row }))
}

function perpsOf({ fundings }: StateDifferencesState) {
  return fundings.perps.map((row) => ({ key: String(row.instrument), row }))
}

function withdrawalsOf({ withdrawals }: StateDifferencesState) {
  return [...withdrawals.rows].map((row) => ({ key: row.key, row }))
}

function endedOf({ withdrawals }: StateDifferencesState) {
  return [...withdrawals.ended].map((row) => ({ key: formatUuid(row.id, 0), row }))
}
