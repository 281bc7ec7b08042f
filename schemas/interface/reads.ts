import { accountReads } from './account.js'
import { competitionsReads } from './competitions.js'
import { marketReads } from './market.js'
import { moneyReads } from './money.js'
import { ordersReads } from './orders.js'
import type { AnsweredBy, ReadTable, RowsBy } from './read.js'
import { referralsReads } from './referrals.js'
import { rfqReads } from './rfq.js'
import { riskReads } from './risk.js'
import { venueReads } from './venue.js'

/** Every read of the public interface. */
export const reads = {
  ...marketReads,
  ...accountReads,
  ...ordersReads,
  ...riskReads,
  ...moneyReads,
  ...rfqReads,
  ...competitionsReads,
  ...referralsReads,
  ...venueReads,
} satisfies ReadTable

/** Reads that the read model answers from its views. */
export const viewReads = rowsBy('views')
/** Reads that query threads answer from the history store. */
export const historyReads = rowsBy('history')
/** Reads that a gateway answers itself. */
export const gatewayReads = rowsBy('gateway')

/** Keys of the reads of the views. Requests name a read by its position here. */
export const viewReadKeys = Object.keys(viewReads) as ViewReadKey[]

export type ViewReadKey = keyof typeof viewReads
export type HistoryReadKey = keyof typeof historyReads
export type GatewayReadKey = keyof typeof gatewayReads

function rowsBy<By extends AnsweredBy>(by: By): RowsBy<typeof reads, By> {
  const rows = Object.entries(reads).filter(([, { answeredBy }]) => answeredBy === by)
  return Object.fromEntries(rows) as RowsBy<typeof reads, By>
}
