import { TradingMode } from '../../schemas/domain.js'
import type { BodyReader } from './body-reader.js'

/** Trading modes as they may be written. */
const inputs = ['orderbook|rfq', 'orderbook', 'rfq', '', 'orderbook_only', 'rfq_only', 'both']
const modes = [
  TradingMode.Both,
  TradingMode.Orderbook,
  TradingMode.Rfq,
  0,
  TradingMode.Orderbook,
  TradingMode.Rfq,
  TradingMode.Both,
]

/** Bits of the body's `trading_mode`; both when it is absent. */
export function tradingModeOf(body: BodyReader): number {
  return body.has('trading_mode') ? modes[body.choice('trading_mode', inputs)]! : TradingMode.Both
}
