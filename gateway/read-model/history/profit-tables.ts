import { premiumMicros } from '../../../engine/risk/money.js'
import { Side } from '../../../schemas/domain.js'
import { AccountEvent, type FillEvent, TransferEvent } from '../../../schemas/generated/events.js'
import { theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import { AccountChange } from '../../../schemas/record-values.js'
import { address, integer, sqlName, table } from './table.js'

// The tables that what a wallet has earned is made of, beside fills, payouts and deposits, and those of its sums.

/** Spans of time that sums are kept of. */
export const bucketIntervals = [theoIntervalMillis['5m'], theoIntervalMillis['1d']] as const

/** What a fill changes of its position's cost: what it is bought for, less what was sold at its own cost. */
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

/** Of a Transfer event: one side of a position's move off the book. */
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

/** Of an Account event that tells of cash that comes or goes with no trade and no deposit. */
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

// What a wallet's events of some time add up to, packed (`wallet-sums.ts`); they stay when rows grow old.

/** Of days; of those that are not kept singly together, under 0. */
export const profitDays = { name: 'profit_days', key: ['wallet', 'startMillis'] } as const
/** Of five minutes, in one part or several. By time first: what is written stands together. */
export const profitSpans = {
  name: 'profit_spans',
  key: ['startMillis', 'wallet', 'part'],
} as const

const sumColumns: Readonly<Record<string, string>> = {
  wallet: 'wallet text not null',
  startMillis: 'start_millis integer not null',
  part: 'part integer not null',
}
export const profitSumsSql = [profitDays, profitSpans]
  .map(({ name, key }) => {
    const columns = key.map((column) => sumColumns[column]).join(', ')
    const names = key.map(sqlName).join(', ')
    return `create table if not exists ${name} (${columns}, sums blob not null, primary key (${names})) without rowid;`
  })
  .join('\n')
