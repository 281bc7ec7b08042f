import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { sideNames } from '../../../schemas/domain.js'
import type { FillEvent, LiquidationEvent, PayoutEvent } from '../../../schemas/generated/events.js'
import { liquidationModeNames, liquidationStateNames } from '../../../schemas/record-values.js'
import { orderIdOfFill } from '../../wire/combo-fill.js'

/** Notification for a browser: a type, two lines to show, and the underlying facts. */
export interface Notice {
  readonly type: 'fill' | 'liquidation' | 'settlement'
  readonly title: string
  readonly body: string
  readonly timestamp: number
  readonly seq: number
  readonly data: Readonly<Record<string, string | number | boolean | null>>
}

export function noticeOfFill(fill: FillEvent, symbol: string): Notice {
  const side = sideNames[fill.side]
  const [size, price] = [formatLots(fill.sizeLots), formatMicros(fill.priceMicros)]
  return {
    type: 'fill',
    title: side === 'Buy' ? 'Bought' : 'Sold',
    body: `${size} ${symbol} at ${price}`,
    ...timesOf(fill),
    data: { symbol, side, price, size, order_id: orderIdOfFill(fill), fill_id: fill.fillId },
  }
}

export function noticeOfPayout(payout: PayoutEvent, symbol: string): Notice {
  const value = formatMicros(payout.valueMicros)
  const position = formatLots(payout.positionLots)
  return {
    type: 'settlement',
    title: 'Settled',
    body: `${position} ${symbol} for ${value} USD`,
    ...timesOf(payout),
    data: { symbol, position_size: position, settlement_value: value, payout_id: payout.payoutId },
  }
}

export function noticeOfLiquidation(liquidation: LiquidationEvent): Notice {
  const state = liquidationStateNames[liquidation.state]!
  const mode = liquidationModeNames[liquidation.mode] ?? null
  return {
    type: 'liquidation',
    title: 'Liquidation',
    body: mode === null ? state.replace('_', ' ') : `${state.replace('_', ' ')} (${mode})`,
    ...timesOf(liquidation),
    data: {
      state,
      liquidation_mode: mode,
      previous_state: liquidationStateNames[liquidation.beforeState]!,
    },
  }
}

function timesOf({ timeMillis, seq }: { readonly timeMillis: number; readonly seq: number }) {
  return { timestamp: timeMillis, seq }
}
