import { BidLiquidationCommand } from '../../../schemas/generated/commands.js'
import type { Action } from './action.js'
import { commandOf, setKey } from './command-record.js'
import type { Trader } from './trader.js'

const richMicros = 1e12

/** Returns a bid for a wallet in auction, mostly on the latest published terms and mostly high enough. */
export function bidLiquidation(trader: Trader): Action | null {
  const { random } = trader
  const running = trader.auctions()
  if (running.length === 0) return null
  const { wallet, auction, version, valuationMillis, positions } = random.pick(running)
  const { length: count } = positions
  const fields = {
    auction: auction + (random.below(10) === 0 ? 1 : 0),
    version,
    bidMicros: random.below(6) === 0 ? random.below(1e6) : richMicros,
    valuationMillis,
    count,
  }
  const bid = commandOf(BidLiquidationCommand, fields, BidLiquidationCommand.bytesWith(count))
  bid.u8.set(wallet, bid.liquidatedAt)
  for (const [index, { terms, lots, entryMicros }] of positions.entries()) {
    const position = bid.positions(index)
    setKey(position.key, terms)
    Object.assign(position, { lots, entryMicros })
  }
  return trader.signed(bid)
}
