import { Side } from '../../../schemas/domain.js'
import { AccountEvent, TransferEvent } from '../../../schemas/generated/events.js'
import { AccountChange } from '../../../schemas/record-values.js'
import { address, given, givenText, integer, table } from './table.js'

// The tables that what a wallet has earned is made of, beside fills, payouts and deposits, and those of its sums.

/** What a fill changes of its position's cost: what it is bought for, less what was sold at its own cost. */
export function costChange(
  { side }: { readonly side: number },
  realizedMicros: number,
  premium: number,
): number {
  return realizedMicros + (side === Side.Buy ? premium : -premium)
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

/**
 * What a wallet's events of some time add up to, by what they are about: an instrument, or a `ProfitSource`. Sums that
 * stay when rows grow old; `profit-sums.ts` makes them of rows.
 */
const sums = { lots: given(2), costMicros: given(3), realizedMicros: given(4), events: given(5) }

/** Of days; of those that are not kept singly together, under 0. */
export const profits = table(
  'profits',
  null,
  { wallet: givenText, startMillis: given(0), instrument: given(1), ...sums },
  { key: ['wallet', 'startMillis', 'instrument'] },
)
/** Of five minutes. By time first: what is written stands together. */
export const profitBuckets = table(
  'profit_buckets',
  null,
  { startMillis: given(0), wallet: givenText, instrument: given(1), ...sums },
  { key: ['startMillis', 'wallet', 'instrument'] },
)
