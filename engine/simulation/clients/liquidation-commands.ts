import { CommandType } from '../../../schemas/generated/commands.js'
import {
  bidAuctionAt,
  bidCountAt,
  bidLiquidatedAt,
  bidMicrosAt,
  bidPositionBytes,
  bidPositionEntryMicrosAt,
  bidPositionLotsAt,
  bidPositionsAt,
  bidValuationMillisAt,
  bidVersionAt,
} from '../../../schemas/liquidation.js'
import type { Action } from './action.js'
import { CommandRecord } from './command-record.js'
import { signed } from './order-commands.js'
import type { TradingDesk } from './trading-desk.js'

const richMicros = 1e12

/** A bid for a wallet in auction, mostly on the terms that were told last, and mostly for enough. */
export function bidLiquidation(desk: TradingDesk): Action | null {
  const { random } = desk
  const running = desk.auctions()
  if (running.length === 0) return null
  const { wallet, auction, version, valuationMillis, positions } = random.pick(running)
  const bytes = bidPositionsAt + positions.length * bidPositionBytes
  const record = new CommandRecord(CommandType.BidLiquidation, bytes)
    .setF64(bidAuctionAt, auction + (random.below(10) === 0 ? 1 : 0))
    .setF64(bidVersionAt, version)
    .setF64(bidMicrosAt, random.below(6) === 0 ? random.below(1e6) : richMicros)
    .setF64(bidValuationMillisAt, valuationMillis)
    .setI32(bidCountAt, positions.length)
  record.u8.set(wallet, bidLiquidatedAt)
  for (const [index, { instrument, lots, entryMicros }] of positions.entries()) {
    const at = bidPositionsAt + index * bidPositionBytes
    record
      .setKey(at, { ...instrument, expiryMillis: 0 })
      .setF64(at + bidPositionLotsAt, lots)
      .setF64(at + bidPositionEntryMicrosAt, entryMicros)
  }
  return signed(desk, record, desk.wallet())
}
