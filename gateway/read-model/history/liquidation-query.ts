import { formatMicros } from '../../../schemas/decimal.js'
import {
  LiquidationMode,
  liquidationModeNames,
  liquidationStateNames,
} from '../../../schemas/record-values.js'
import { cursorAnswer, listAnswer, type Page } from '../../wire/answers.js'
import { auctionIdText, auctionRequestId } from '../../wire/auction-ids.js'
import { historyEndpoints } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import { liquidationSummary } from '../texts/liquidation-text.js'
import { liquidations } from './history-tables.js'
import { type Condition, type HistoryRoute, type HistorySource, newestFirst } from './select.js'

import { type Row, selected } from './table.js'

type LiquidationRecord = Row<typeof liquidations>

const liquidationQuery = `select ${selected(liquidations, 'l')} from liquidations l`

/** GET /liquidations: state changes of all wallets or one, newest first, by cursor. */
export const liquidationsRoute: HistoryRoute = route(
  historyEndpoints['GET /liquidations'],
  ({ wallet, status, margin_mode, liquidation_mode, limit, cursor }, source) => {
    const wanted = [
      ['wallet = ?', wallet],
      ['state = ?', status],
      ['margin_mode = ?', margin_mode],
      ['mode = ?', liquidation_mode],
      ['seq < ?', cursor],
    ] as const
    const conditions = wanted.flatMap(([sql, value]) =>
      value === null ? [] : [[sql, value] as const],
    )
    // One more than asked for tells whether there are more.
    const rows = listed(source, conditions, { limit: limit + 1, offset: 0 })
    const page = rows.slice(0, limit)
    const next = rows.length > limit ? String(page.at(-1)!.seq) : null
    return cursorAnswer(page.map(liquidationRow), limit, next, source.seq)
  },
)

/** GET /liquidation/history: state changes of one wallet, newest first, by offset. */
export const walletLiquidationsRoute: HistoryRoute = route(
  historyEndpoints['GET /liquidation/history'],
  ({ wallet, ...page }, source) => {
    const rows = listed(source, [['wallet = ?', wallet]], page)
    return listAnswer(rows.map(liquidationRow), page, source.seq, { error: null })
  },
)

function listed(source: HistorySource, conditions: readonly Condition[], page: Page) {
  return newestFirst<LiquidationRecord>(source, liquidationQuery, conditions, 'seq', page)
}

/** A record of the history. */
export type LiquidationRow = ReturnType<typeof liquidationRow>

function liquidationRow(facts: LiquidationRecord) {
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
