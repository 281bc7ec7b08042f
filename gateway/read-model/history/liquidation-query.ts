import { marginModeNames } from '../../../schemas/domain.js'
import { liquidationModeNames, liquidationStateNames } from '../../../schemas/record-values.js'
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
import { liquidationRecord } from '../liquidation-text.js'
import type { QueryReader } from '../query-reader.js'
import type { SelectAll } from './theo-query.js'

interface LiquidationRow {
  readonly seq: number
  readonly wallet: string
  readonly before_state: number
  readonly before_mode: number
  readonly state: number
  readonly mode: number
  readonly margin_mode: number
  readonly equity_micros: number
  readonly mm_micros: number
  readonly auction: number
  readonly needed_micros: number
  readonly winner: string | null
  readonly bonus_micros: number
  readonly insurance_micros: number
  readonly deleveraged_micros: number
  readonly uncovered_micros: number
  readonly shared_micros: number
  readonly fee_micros: number
  readonly millis: number
}

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
  const sql = `select * from liquidations${where} order by seq desc limit ?`
  // One more than asked for tells whether there are more.
  const rows = select<LiquidationRow>(sql, [...values, limit + 1])
  const page = rows.slice(0, limit)
  const next = rows.length > limit ? String(page.at(-1)!.seq) : null
  return cursorAnswer(page.map(recordOf), limit, next, seq)

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
  const sql = 'select * from liquidations where wallet = ? order by seq desc limit ? offset ?'
  const rows = select<LiquidationRow>(sql, [wallet, limit, offset])
  return listAnswer(rows.map(recordOf), { limit, offset }, seq, { error: null })
}

function recordOf(row: LiquidationRow) {
  return liquidationRecord({
    seq: row.seq,
    millis: row.millis,
    wallet: row.wallet,
    beforeState: row.before_state,
    beforeMode: row.before_mode,
    state: row.state,
    mode: row.mode,
    marginMode: row.margin_mode,
    equityMicros: row.equity_micros,
    mmMicros: row.mm_micros,
    auction: row.auction,
    neededMicros: row.needed_micros,
    winner: row.winner,
    bonusMicros: row.bonus_micros,
    insuranceMicros: row.insurance_micros,
    deleveragedMicros: row.deleveraged_micros,
    uncoveredMicros: row.uncovered_micros,
    sharedMicros: row.shared_micros,
    feeMicros: row.fee_micros,
  })
}
