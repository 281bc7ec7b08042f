import { isFinalRfq, type RfqStatus, type Side } from '../../../schemas/domain.js'
import { RfqQuoteChange } from '../../../schemas/record-values.js'
import { type Result, resultRows, resultText } from '../../../schemas/results.js'
import type { Page } from '../../wire/answers.js'
import { type RfqLegFacts, rfqJson } from '../../wire/rfq-text.js'
import { rfqQuotes, rfqs } from './history-tables.js'
import { type Condition, type HistorySource, isOneOf, query, shown } from './select.js'
import type { Row } from './table.js'

type RfqRecord = Row<typeof rfqs>
type QuoteRecord = Row<typeof rfqQuotes>
type Names = ReadonlyMap<number, { readonly symbol: string; readonly underlying: string }>

const rfqRows = {
  ...query(rfqs, [], (row: RfqRecord) => row),
  order: 'rfqs.seq desc',
}
// Quote ids rise with arrival, so the earlier of two equal quotes comes first.
const quoteRows = {
  ...query(rfqQuotes, [], (row: QuoteRecord) => row),
  order: 'rfq_quotes.net_premium_micros desc, rfq_quotes.quote_id',
}
/** Condition on quotes that were live when the RFQ ended. */
const liveQuotes = isOneOf('change', [
  ...[RfqQuoteChange.Bootstrap, RfqQuoteChange.Made],
  RfqQuoteChange.Executed,
])
const quotesMax = 10_000

/**
 * Returns the RFQs that meet the conditions, newest first, with their quotes. Other wallets than the taker see quotes
 * only when providers can no longer replace them.
 * @param requester lower-case wallet of the requester, or null.
 */
export function rfqsOf(
  source: HistorySource,
  conditions: readonly Condition[],
  page: Page,
  requester: string | null,
): readonly RfqRow[] {
  const rows = shown(source, rfqRows, conditions, page)
  const legs = new Map(rows.map((row) => [row, legsOf(row)]))
  const names = namesOf(source, [...legs.values()].flat())
  return rows.map((row) => {
    const { status, wallet, responseMillis } = row
    const isOpenToAll = isFinalRfq(status as RfqStatus) || source.nowMillis > responseMillis
    const quotes = requester === wallet || isOpenToAll ? quotesOf(source, row) : []
    return rfqRow(row, legs.get(row)!, quotes, names)
  })
}

/** Returns the quotes of an RFQ. Excludes those of an earlier RFQ with the same id. */
function quotesOf(source: HistorySource, { rfqId, createdMillis }: RfqRecord) {
  const conditions: Condition[] = [
    ['rfq_id = ?', rfqId],
    ['made_millis >= ?', createdMillis],
    liveQuotes,
  ]
  return shown(source, quoteRows, conditions, { limit: quotesMax, offset: 0 })
}

interface StoredLeg {
  readonly instrument: number
  readonly side: Side
  readonly sizeLots: number
}

function legsOf({ legs }: RfqRecord): readonly StoredLeg[] {
  const stored = JSON.parse(legs) as readonly (readonly [number, Side, number])[]
  return stored.map(([instrument, side, sizeLots]) => ({ instrument, side, sizeLots }))
}

function namesOf({ select }: HistorySource, legs: readonly StoredLeg[]): Names {
  const ids = [...new Set(legs.map(({ instrument }) => instrument))]
  if (ids.length === 0) return new Map()
  const [named, ...values] = isOneOf('instrument_id', ids)
  const sql = `select instrument_id as id, symbol, underlying from instruments where ${named}`
  const rows = select<{ id: number; symbol: string; underlying: string }>(sql, values)
  return new Map(rows.map(({ id, ...name }) => [id, name]))
}

type RfqRow = ReturnType<typeof rfqRow>

function rfqRow(
  row: RfqRecord,
  stored: readonly StoredLeg[],
  quotes: readonly QuoteRecord[],
  names: Names,
) {
  const status = row.status as RfqStatus
  const legs = stored.map(
    ({ instrument, side, sizeLots }): RfqLegFacts => ({
      symbol: names.get(instrument)?.symbol ?? '',
      side,
      sizeLots,
    }),
  )
  const underlying = names.get(stored[0]!.instrument)?.underlying ?? ''
  return {
    ...rfqJson({ ...row, status, underlying, legs, quotes: quotes.map(quoteFacts) }),
    ...(isFinalRfq(status) ? endOf(row, underlying) : {}),
  }
}

function quoteFacts({ quoteId, netPremiumMicros, prices, expiresMillis }: QuoteRecord) {
  const pricesMicros = JSON.parse(prices) as readonly number[]
  return { quoteId, netPremiumMicros, pricesMicros, expiresMillis }
}

/** Returns the fields that describe the end of an RFQ. */
function endOf({ reason, fillId, fallbackOrderId }: RfqRecord, underlying: string) {
  const result = reason as Result
  return {
    reason: result < 0 ? resultText(result, { underlying }) : null,
    reason_code: resultRows[result].code,
    ...(fillId === 0 ? {} : { fill_id: String(fillId) }),
    ...(fallbackOrderId === 0 ? {} : { fallback_order_id: fallbackOrderId }),
  }
}
