import { formatMicros } from '../../../schemas/decimal.js'
import { marginModeNames } from '../../../schemas/domain.js'
import type { MessageOf } from '../../../schemas/interface/streams.js'
import type { PortfolioContent } from '../../../schemas/interface/wallet-messages.js'
import { PushKind } from '../../link/read-protocol.js'
import { encodeJson } from '../../wire/json-text.js'
import {
  closedPositionText,
  greeksText,
  marginOf,
  marginSummary,
  positionRows,
  positionText,
  spanMargin,
} from '../texts/portfolio-text.js'
import type { EventViews } from '../views/event-views.js'

/** Subject of a PortfolioUpdate. */
export interface PortfolioSubject {
  readonly wallet: string
  /** -1: unknown wallet. */
  readonly account: number
  /** PositionUpdate only: the instrument, and the realized profit of its position so far. */
  readonly instrument: number
  readonly realizedMicros: number
}

/**
 * Encodes a PortfolioUpdate of the current views.
 * @param kind One of the portfolio kinds.
 */
export function portfolioMessage(
  views: EventViews,
  kind: PushKind,
  subject: PortfolioSubject,
  isSnapshot: boolean,
): Uint8Array {
  const { seq, timeMillis } = views
  const message: MessageOf<'PortfolioUpdate'> = {
    type: 'PortfolioUpdate',
    ...contentOf(views, kind, subject),
    timestamp: timeMillis,
    seq,
    ...(isSnapshot ? { snapshot: true, as_of_seq: seq } : {}),
  }
  return Buffer.from(encodeJson(message))
}

function contentOf(views: EventViews, kind: PushKind, subject: PortfolioSubject): PortfolioContent {
  const { account, wallet } = subject
  if (kind === PushKind.GreeksUpdate) {
    return { kind: 'GreeksUpdate', ...greeksText(views, positionRows(views, account)) }
  }
  const summary = marginOf(views, account)
  if (kind === PushKind.Initial) {
    const rows = positionRows(views, account)
    const positions = rows.map((row) => positionText(views, wallet, row, summary))
    return { kind: 'Initial', positions }
  }
  if (kind === PushKind.PositionUpdate) {
    const { instrument, realizedMicros } = subject
    const { risk } = views.accounts
    const row = risk.findExposure(account, instrument)
    const isOpen = row >= 0 && risk.exposures.positionLots[row] !== 0
    const position = isOpen
      ? positionText(views, wallet, row, summary)
      : closedPositionText(views, wallet, instrument, realizedMicros, summary)
    return { kind: 'PositionUpdate', position }
  }
  const totalMarginUsed = formatMicros(summary.totalMarginUsed)
  if (kind === PushKind.BalanceUpdate) {
    return {
      kind: 'BalanceUpdate',
      total_margin_used: totalMarginUsed,
      cash: formatMicros(summary.cash),
      equity: formatMicros(summary.equity),
    }
  }
  return {
    kind: 'MarginUpdate',
    span_margin: spanMargin(summary),
    margin_summary: marginSummary(summary),
    margin_mode: marginModeNames[summary.mode],
    total_margin_used: totalMarginUsed,
    available_balance: formatMicros(summary.available),
  }
}
