import { formatMicros } from '../../../schemas/decimal.js'
import {
  LiquidationMode,
  liquidationModeNames,
  liquidationStateNames,
} from '../../../schemas/record-values.js'
import { cursorAnswer } from '../../wire/answers.js'
import { auctionIdText, auctionRequestId } from '../../wire/auction-ids.js'
import { historyEndpoints } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import { liquidationSummary } from '../texts/liquidation-text.js'
import { liquidations } from './history-tables.js'
import { type HistoryRoute, pageAnswer, query, shown, whereGiven } from './select.js'
import type { Row } from './table.js'

const liquidationQuery = query(liquidations, [], liquidationRow)

/** GET /liquidations: state changes of all wallets or one, newest first, by cursor. */
export const liquidationsRoute: HistoryRoute = route(
  historyEndpoints['GET /liquidations'],
  ({ wallet, status, margin_mode, liquidation_mode, limit, cursor }, source) => {
    const conditions = [
      ...whereGiven('wallet = ?', wallet),
      ...whereGiven('state = ?', status),
      ...whereGiven('margin_mode = ?', margin_mode),
      ...whereGiven('mode = ?', liquidation_mode),
      ...whereGiven('seq < ?', cursor),
    ]
    // One more than asked for tells whether there are more.
    const page = { limit: limit + 1, offset: 0 }
    const rows = shown(source, liquidationQuery, conditions, page)
    const next = rows.length > limit ? String(rows[limit - 1]!.id) : null
    return cursorAnswer(rows.slice(0, limit), limit, next, source.seq)
  },
)

/** GET /liquidation/history: state changes of one wallet, newest first, by offset. */
export const walletLiquidationsRoute: HistoryRoute = route(
  historyEndpoints['GET /liquidation/history'],
  ({ wallet, ...page }, source) =>
    pageAnswer(source, liquidationQuery, [['wallet = ?', wallet]], page, { error: null }),
)

/** A record of the history. */
export type LiquidationRow = ReturnType<typeof liquidationRow>

function liquidationRow(facts: Row<typeof liquidations>) {
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
