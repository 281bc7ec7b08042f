import { assert } from '../assert.js'
import {
  bidPositionsMax,
  bulkItemsMax,
  burnEntriesMax,
  commandBytesMax,
  indexEntriesMax,
  payoutIdsMax,
  rfqLegsMax,
  surfacePointsMax,
} from '../bounds.js'
import {
  type AnyCommand,
  BidLiquidationCommand,
  BulkCommand,
  BurnNoncesCommand,
  CommandType,
  IndexPricesCommand,
  MarkPayoutsSeenCommand,
  PlaceOrderCommand,
  QuoteRfqCommand,
  VolSurfaceCommand,
} from '../generated/commands.js'

// Rules by command type; records/commands.ts has the layouts.

const operatorCommandsFrom = 16
const signedCommandsAgainFrom = 64

/** Returns true if commands of this type are signed: wallet, signer, nonce and digest are set. */
export function isSigned(type: number): boolean {
  return type < operatorCommandsFrom || type >= signedCommandsAgainFrom
}

/** Returns the offset of the acting wallet: the signer field in records whose wallet is the signer. */
export function walletAtOf(command: AnyCommand): number {
  const type = command.recordType
  const signerIsWallet =
    type === CommandType.ApproveAgent ||
    type === CommandType.RevokeAgent ||
    type === CommandType.RevokeAllAgents ||
    type === CommandType.SetUserTier
  return signerIsWallet ? command.signerAt : command.walletAt
}

for (const bytes of [
  BulkCommand.bytesWith(bulkItemsMax * PlaceOrderCommand.bytes),
  VolSurfaceCommand.bytesWith(2 * surfacePointsMax),
  IndexPricesCommand.bytesWith(indexEntriesMax),
  BurnNoncesCommand.bytesWith(burnEntriesMax),
  MarkPayoutsSeenCommand.bytesWith(payoutIdsMax),
  BidLiquidationCommand.bytesWith(bidPositionsMax),
  QuoteRfqCommand.bytesWith(rfqLegsMax),
]) {
  assert(bytes <= commandBytesMax, 'commands: the longest of each type fits')
}
