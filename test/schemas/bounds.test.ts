import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bidPositionsMax,
  bulkItemsMax,
  burnEntriesMax,
  commandBytesMax,
  eventBytesMax,
  indexEntriesMax,
  liquidationPositionsMax,
  payoutIdsMax,
  surfacePointsMax,
} from '../../schemas/bounds.js'
import {
  BidLiquidationCommand,
  BulkCommand,
  BurnNoncesCommand,
  IndexPricesCommand,
  MarkPayoutsSeenCommand,
  PlaceOrderCommand,
  VolSurfaceCommand,
} from '../../schemas/generated/commands.js'
import { LiquidationEvent, PayoutsSeenEvent, SurfaceEvent } from '../../schemas/generated/events.js'

test('the longest list of every command fits its ring', () => {
  const lengths = [
    BulkCommand.bytesWith(bulkItemsMax * PlaceOrderCommand.bytes),
    VolSurfaceCommand.bytesWith(2 * surfacePointsMax),
    IndexPricesCommand.bytesWith(indexEntriesMax),
    MarkPayoutsSeenCommand.bytesWith(payoutIdsMax),
    BurnNoncesCommand.bytesWith(burnEntriesMax),
    BidLiquidationCommand.bytesWith(bidPositionsMax),
  ]
  for (const bytes of lengths) assert.ok(bytes <= commandBytesMax, `${bytes} bytes`)
})

test('the longest list of every event fits the log', () => {
  const lengths = [
    SurfaceEvent.bytesWith(2 * surfacePointsMax),
    PayoutsSeenEvent.bytesWith(payoutIdsMax),
    LiquidationEvent.bytesWith(liquidationPositionsMax),
  ]
  for (const bytes of lengths) assert.ok(bytes <= eventBytesMax, `${bytes} bytes`)
})
