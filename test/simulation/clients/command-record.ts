import type { BatchView } from '../../../engine/journal/segment-reader.js'
import type { Ring } from '../../../engine/memory/ring.js'
import { Route } from '../../../schemas/domain.js'
import {
  AnyCommand,
  BulkCommand,
  CommandType,
  type InstrumentKey,
  PlaceOrderCommand,
} from '../../../schemas/generated/commands.js'
import {
  noViews,
  type RecordSink,
  type RecordViews,
  viewsOf,
  viewsOfCopy,
} from '../../../schemas/record-views.js'
import type { InstrumentTerms } from '../published/published-auctions.js'
import { addressOf } from './market-plan.js'

// Commands in memory of their own, ready for any command ring, and kept so that they can be sent again.

/** Provides zeroed memory for each record. */
class OwnMemory implements RecordSink {
  views: RecordViews = noViews

  tryClaim(bytes: number, type: number): number {
    this.views = viewsOf(new ArrayBuffer(bytes))
    header.over(this.views, 0)
    header.recordBytes = bytes
    header.recordType = type
    return 0
  }
}

const header = new AnyCommand()
const ownMemory = new OwnMemory()
const order = new PlaceOrderCommand()
const bulk = new BulkCommand()
const digestScratch = viewsOf(new ArrayBuffer(32))

/** Arguments of the cursor's `claim` after the sink: type, length, or none. */
type ClaimOf<Command> = Command extends {
  claim(sink: RecordSink, ...more: infer More): boolean
}
  ? More
  : never

/** Returns a command with these fields; the others are zero. */
export function commandOf<
  Command extends AnyCommand & { claim(sink: RecordSink, ...more: never[]): boolean },
>(Kind: new () => Command, fields: Partial<Command>, ...more: ClaimOf<Command>): Command {
  const command = new Kind()
  command.claim(ownMemory, ...(more as never[]))
  return Object.assign(command, fields)
}

/** Returns the same bytes in a record of their own. */
export function copyOf(command: AnyCommand): AnyCommand {
  const { u8, at, recordBytes } = command
  return new AnyCommand().over(viewsOfCopy(u8.subarray(at), recordBytes), 0)
}

/** Returns the same record with `bytes` more bytes, all zero. */
export function withRoom(command: AnyCommand, bytes: number): AnyCommand {
  const views = viewsOf(new ArrayBuffer(command.recordBytes + bytes))
  views.u8.set(command.u8.subarray(command.at, command.at + command.recordBytes))
  const longer = new AnyCommand().over(views, 0)
  longer.recordBytes += bytes
  return longer
}

export function setWallet(command: AnyCommand, wallet: number): void {
  command.u8.set(addressOf(wallet), command.walletAt)
}

/** Uses one number for the 32 bytes: only gateways check signatures. */
export function setDigest(command: AnyCommand, digest: number): void {
  digestScratch.u32[0] = digest
  digestScratch.u32[7] = ~digest
  command.u8.set(digestScratch.u8, command.digestAt)
}

export function setKey(key: InstrumentKey, terms: InstrumentTerms): void {
  const { underlyingText, expiryDate, right, strikeMicros } = terms
  Object.assign(key, { underlyingText, expiryDate, right, strikeMicros })
}

export function isBulk({ recordType }: AnyCommand): boolean {
  return recordType === CommandType.Bulk
}

export function isOrder({ recordType }: AnyCommand): boolean {
  return recordType === CommandType.PlaceOrder || recordType === CommandType.ReplaceOrder
}

/** Yields adjacent commands, one after another on one cursor. */
function* commandsBetween(views: RecordViews, from: number, end: number): Generator<AnyCommand> {
  const command = new AnyCommand()
  for (let at = from; at < end; at += command.recordBytes) yield command.over(views, at)
}

/** Yields the commands of a batch. */
export function commandsOf(batch: BatchView): Generator<AnyCommand> {
  const { commandsAt, commandBytes } = batch
  return commandsBetween(batch, commandsAt, commandsAt + commandBytes)
}

/** Returns the separately decided parts: the items of a bulk, or the command. */
export function partsOf(command: AnyCommand): Iterable<AnyCommand> {
  if (!isBulk(command)) return [command]
  const { views, at, itemsAt, recordBytes } = bulk.of(command)
  return commandsBetween(views, itemsAt, at + recordBytes)
}

/** Returns the commands as items of one bulk, in order. */
export function bulkOf(items: readonly AnyCommand[]): BulkCommand {
  const itemBytes = items.reduce((sum, { recordBytes }) => sum + recordBytes, 0)
  const fields = { count: items.length }
  const whole = commandOf(BulkCommand, fields, BulkCommand.bytesWith(itemBytes))
  let at = whole.itemsAt
  for (const item of items) {
    whole.u8.set(item.u8, at)
    at += item.recordBytes
  }
  // Cancels have no route. Bulk orders go to the book.
  for (const item of partsOf(whole)) if (isOrder(item)) order.of(item).route = Route.BookOnly
  return whole
}

/**
 * Sends a command of `gateway` under the numbers in `requests`: one, or one per item of a bulk.
 * @returns false when the ring is full
 */
export function sendCommand(
  ring: Ring,
  command: AnyCommand,
  gateway: number,
  requests: readonly number[],
): boolean {
  const at = ring.tryClaim(command.recordBytes, command.recordType)
  if (at < 0) return false
  ring.u8.set(command.u8, at)
  header.over(ring, at).gateway = gateway
  let index = 0
  for (const part of partsOf(header)) {
    part.gateway = gateway
    part.request = requests[index++]
  }
  ring.commit()
  return true
}
