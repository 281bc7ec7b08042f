import { formatMicros } from '../../../schemas/decimal.js'
import { marginModeNames } from '../../../schemas/domain.js'
import {
  LiquidationMode,
  liquidationModeNames,
  liquidationStateNames,
} from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { formatAddress } from '../../../schemas/wallet.js'
import {
  type Answer,
  cursorAnswer,
  Envelope,
  listAnswer,
  offsetMax,
  refusedAnswer,
} from '../answers.js'
import { auctionIdText, auctionRequestId, liquidationSummary } from '../liquidation-text.js'
import type { QueryReader } from '../query-reader.js'
import { liquidations } from './history-tables.js'
import type { SelectAll } from './select.js'
import { type Row, selected } from './table.js'

type LiquidationRow = Row<typeof liquidations>

const columns = `select ${selected(liquidations, 'l')} from liquidations l`
const limitMax = 100
const limitDefault = 50
const cursorPattern = /^\d{1,16}$/

/** GET /liquidations: state changes of all wallets or one, newest first, by cursor. */
export function liquidationPage(query: QueryReader, seq: number, select: SelectAll): Answer {
  const conditions: string[] = []
  const values: (string | number)[] = []
  const wallet = query.optionalWallet('wallet')
  if (wallet !== null) {
    conditions.push('wallet = ?')
    values.push(formatAddress(wallet, 0))
  }
  filter('state', query.agreedText('status', 'state'), liquidationStateNames)
  filter('margin_mode', query.text('margin_mode'), marginModeNames)
  filter('mode', query.text('liquidation_mode'), liquidationModeNames)
  const limit = query.integer(['limit'], 1, limitMax, limitDefault)
  const cursor = query.text('cursor')
  if (cursor !== null && !cursorPattern.test(cursor)) {
    query.refuse(Result.InvalidParameter, 'cursor is none of next_cursor')
  } else if (cursor !== null) {
    conditions.push('seq < ?')
    values.push(Number(cursor))
  }
  if (query.refusal !== null) return refusedAnswer(Envelope.Success, query.refusal)
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  const sql = `${columns}${where} order by seq desc limit ?`
  // One more than asked for tells whether there are more.
  const rows = select<LiquidationRow>(sql, [...values, limit + 1])
  const page = rows.slice(0, limit)
  const next = rows.length > limit ? String(page.at(-1)!.seq) : null
  return cursorAnswer(page.map(liquidationRecord), limit, next, seq)

  function filter(column: string, text: string | null, names: readonly (string | null)[]): void {
    if (text === null) return
    const place = names.indexOf(text)
    if (place < 0) query.refuse(Result.InvalidParameter, `${text} is no ${column}`)
    conditions.push(`${column} = ?`)
    values.push(place)
  }
}

/** GET /liquidation/history: state changes of one wallet, newest first, by offset. */
export function liquidationList(query: QueryReader, seq: number, select: SelectAll): Answer {
  const wallet = formatAddress(query.wallet('wallet'), 0)
  const limit = query.integer(['limit'], 1, limitMax, limitDefault)
  const offset = query.integer(['offset'], 0, offsetMax, 0)
  if (query.refusal !== null) return refusedAnswer(Envelope.Success, query.refusal)
  const sql = `${columns} where wallet = ? order by seq desc limit ? offset ?`
  const rows = select<LiquidationRow>(sql, [wallet, limit, offset])
  return listAnswer(rows.map(liquidationRecord), { limit, offset }, seq, { error: null })
}

/** A record of the history. */
function liquidationRecord(facts: LiquidationRow) {
  const isAuction = facts.mode === LiquidationMode.Full || facts.beforeMode === LiquidationMode.Full
  const auction = isAuction ? facts.auction : 0
  return {
    id: facts.seq,
    wallet: facts.wallet,
    previous_state: liquidationStateNames[facts.beforeState]!,
    new_state: liquidationStateNames[facts.state]!,
    ...liquidationSummary(facts, facts.equityMicros, facts.mmMicros),
    auction_id: auctionIdText(auction),
    request_id: auctionRequestId(auction),
    tx_hash: null,
    margin_needed: isAuction ? formatMicros(facts.neededMicros) : null,
    winner_address: isAuction ? facts.winner : null,
    bonus: isAuction && facts.winner !== null ? formatMicros(facts.bonusMicros) : null,
    details: {
      previous_liquidation_mode: liquidationModeNames[facts.beforeMode] ?? null,
      insurance_paid: formatMicros(facts.insuranceMicros),
      deleveraged: formatMicros(facts.deleveragedMicros),
      shared: formatMicros(facts.sharedMicros),
      uncovered: formatMicros(facts.uncoveredMicros),
      fees_paid: formatMicros(facts.feeMicros),
    },
    timestamp: facts.millis,
  }
}
