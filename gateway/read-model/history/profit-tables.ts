import { premiumMicros } from '../../../engine/risk/money.js'
import { Side } from '../../../schemas/domain.js'
import { AccountEvent, type FillEvent, TransferEvent } from '../../../schemas/generated/events.js'
import { theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import { AccountChange } from '../../../schemas/record-values.js'
import { address, integer, sqlName, table } from './table.js'

// Tables of a wallet's profit, in addition to fills, payouts and deposits, and the tables of its sums.

/** Intervals of the sums, in milliseconds. */
export const bucketIntervals = [
  theoIntervalMillis['5m'],
  theoIntervalMillis['1h'],
  theoIntervalMillis['1d'],
] as const

/** Returns the change of a position's cost: the premium of lots bought, less the cost of lots sold. */
export function costChange(
  { side }: { readonly side: number },
  realizedMicros: number,
  premium: number,
): number {
  return realizedMicros + (side === Side.Buy ? premium : -premium)
}

export function fillCost(fill: FillEvent): number {
  return costChange(fill, fill.realizedMicros, premiumMicros(fill.priceMicros, fill.sizeLots))
}

/** One side of a position transferred off the book (Transfer event). */
export const moves = table(
  'moves',
  new TransferEvent(),
  {
    seq: integer((move) => move.seq),
    wallet: address((move) => move.walletAt),
    instrument: integer((move) => move.instrument),
    side: integer((move) => move.side),
    sizeLots: integer((move) => move.sizeLots),
    costMicros: integer((move) => costChange(move, move.realizedMicros, move.premiumMicros)),
    realizedMicros: integer((move) => move.realizedMicros),
    millis: integer((move) => move.timeMillis),
  },
  { key: ['seq'], indexes: { moves_wallet: '(wallet, millis)' } },
)

const cashChangesKept: ReadonlySet<number> = new Set([
  AccountChange.Liquidation,
  AccountChange.BuilderFee,
  AccountChange.Funding,
  AccountChange.Withdrawal,
  AccountChange.WithdrawalReturned,
])

/** Cash changes other than trades and deposits (Account event). */
export const cashChanges = table(
  'cash_changes',
  new AccountEvent(),
  {
    seq: integer((account) => account.seq),
    wallet: address((account) => account.walletAt),
    /** `AccountChange`. */
    cause: integer((account) => account.change),
    amountMicros: integer((account) => account.deltaMicros),
    millis: integer((account) => account.timeMillis),
  },
  {
    key: ['seq'],
    isRow: ({ change, deltaMicros }) => cashChangesKept.has(change) && deltaMicros !== 0,
    indexes: { cash_changes_wallet: '(wallet, millis)' },
  },
)

// Packed sums of a wallet's events by interval (`wallet-sums.ts`). They outlive the rows they sum.

/** Sums by day. Days older than the retention are merged under 0. */
export const profitDays = { name: 'profit_days', key: ['wallet', 'startMillis'] } as const
/** Sums by hour. The key starts with the time, so that writes are adjacent. */
export const profitHours = { name: 'profit_hours', key: ['startMillis', 'wallet'] } as const
/** Sums by five minutes, each in one or more parts. */
export const profitSpans = {
  name: 'profit_spans',
  key: ['startMillis', 'wallet', 'part'],
} as const

const sumColumns: Readonly<Record<string, string>> = {
  wallet: 'wallet text not null',
  startMillis: 'start_millis integer not null',
  part: 'part integer not null',
}
export const profitSums = [profitDays, profitHours, profitSpans]
export const profitSumsSql = profitSums
  .map(({ name, key }) => {
    const columns = key.map((column) => sumColumns[column]).join(', ')
    const names = key.map(sqlName).join(', ')
    return `create table if not exists ${name} (${columns}, sums blob not null, primary key (${names})) without rowid;`
  })
  .join('\n')
