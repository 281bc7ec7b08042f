import {
  approveAgent,
  markPayoutsSeen,
  revokeAgent,
  revokeAllAgents,
  setMarginMode,
  setSelfTrade,
  setUserTier,
} from './account-commands.js'
import type { Action } from './action.js'
import { dustPrices, hoard } from './dust-commands.js'
import { bidLiquidation } from './liquidation-commands.js'
import { deleteMmp, resetMmp, setMmp } from './mmp-commands.js'
import {
  acceptClock,
  configure,
  deleteInstrument,
  deposit,
  fundInsurance,
  indexPrices,
  listInstrument,
  maxIndex,
  setBuilder,
  setHalt,
  setTier,
  settlementPrice,
  tick,
  volSurface,
} from './operator-commands.js'
import {
  bulk,
  cancelAll,
  cancelByClientId,
  cancelOrder,
  conflictingNonce,
  ladder,
  lever,
  placeOrder,
  replaceOrder,
  sweep,
  writeLate,
} from './order-commands.js'
import { spread, spreads } from './spread-commands.js'
import type { TradingDesk } from './trading-desk.js'

/** Makes one action out of what the clients know; null when there is nothing to make it of. */
export interface CommandGenerator {
  readonly weight: number
  readonly make: (desk: TradingDesk) => Action | null
}

/** What clients send through the gateways. A new signed command is one line here. */
export const clientGenerators: readonly CommandGenerator[] = [
  { weight: 44, make: placeOrHedge },
  { weight: 12, make: replaceOrder },
  { weight: 10, make: cancelOrder },
  { weight: 3, make: cancelByClientId },
  { weight: 8, make: bulk },
  { weight: 2, make: cancelAll },
  { weight: 4, make: ladder },
  { weight: 4, make: sweep },
  { weight: 8, make: writeLate },
  { weight: 8, make: lever },
  { weight: 14, make: spread },
  { weight: 6, make: spreads },
  { weight: 3, make: conflictingNonce },
  { weight: 3, make: approveAgent },
  { weight: 1, make: revokeAgent },
  { weight: 1, make: revokeAllAgents },
  { weight: 2, make: setSelfTrade },
  { weight: 4, make: setMmp },
  { weight: 2, make: resetMmp },
  { weight: 1, make: deleteMmp },
  { weight: 4, make: setMarginMode },
  { weight: 2, make: setUserTier },
  { weight: 1, make: markPayoutsSeen },
  { weight: 10, make: bidLiquidation },
]

/** In some runs nearly everybody trades spreads, and in some much is of options of next to nothing. */
function placeOrHedge(desk: TradingDesk): Action {
  if (desk.isDusty && desk.random.below(5) > 0) return hoard(desk)
  if (!desk.isHedging || desk.random.below(6) === 0) return placeOrder(desk)
  return desk.random.below(3) === 0 ? spreads(desk) : spread(desk)
}

/** What the operator sends through a ring of its own. */
export const operatorGenerators: readonly CommandGenerator[] = [
  { weight: 10, make: indexPrices },
  { weight: 4, make: volSurface },
  { weight: 4, make: deposit },
  { weight: 3, make: listInstrument },
  { weight: 2, make: deleteInstrument },
  { weight: 5, make: settlementPrice },
  { weight: 10, make: dustPrices },
  { weight: 1, make: fundInsurance },
  { weight: 3, make: setTier },
  { weight: 3, make: setHalt },
  { weight: 1, make: maxIndex },
  { weight: 2, make: setBuilder },
  { weight: 1, make: configure },
  { weight: 1, make: tick },
  { weight: 6, make: acceptClock },
]
