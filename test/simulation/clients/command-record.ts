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
import type { InstrumentTerms } from '../told/told-auctions.js'
import { addressOf } from './market-plan.js'

// Commands on memory of their own, ready for any command ring: kept, so that they can be sent again.

/** Memory of its own, all zeros, for each record. */
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

/** What the cursor's `claim` wants to know beside the sink: type, or length, or nothing. */
type ClaimOf<Command> = Command extends {
  claim(sink: RecordSink, ...more: infer More): boolean
}
  ? More
  : never

/** A command with these fields; the others are zero. */
export function commandOf<
  Command extends AnyCommand & { claim(sink: RecordSink, ...more: never[]): boolean },
>(Kind: new () => Command, fields: Partial<Command>, ...more: ClaimOf<Command>): Command {
  const command = new Kind()
  command.claim(ownMemory, ...(more as never[]))
  return Object.assign(command, fields)
}

/** The same bytes in a record of their own. */
export function copyOf(command: AnyCommand): AnyCommand {
  const { u8, at, recordBytes } = command
  return new AnyCommand().over(viewsOfCopy(u8.subarray(at), recordBytes), 0)
}

/** The same record with so many bytes more, all zeros. */
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

/** One number stands for 32 bytes: there are no signatures behind the gateways. */
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

/** Commands that lie back to back, one after another on one cursor. */
function* commandsBetween(views: RecordViews, from: number, end: number): Generator<AnyCommand> {
  const command = new AnyCommand()
  for (let at = from; at < end; at += command.recordBytes) yield command.over(views, at)
}

/** Commands of a batch. */
export function commandsOf(batch: BatchView): Generator<AnyCommand> {
  const { commandsAt, commandBytes } = batch
  return commandsBetween(batch, commandsAt, commandsAt + commandBytes)
}

/** What is decided each for itself: the items of a bulk, or the command. */
export function partsOf(command: AnyCommand): Iterable<AnyCommand> {
  if (!isBulk(command)) return [command]
  const { views, at, itemsAt, recordBytes } = bulk.of(command)
  return commandsBetween(views, itemsAt, at + recordBytes)
}

/** The commands as items of one bulk, in order. */
export function bulkOf(items: readonly AnyCommand[]): BulkCommand {
  const itemBytes = items.reduce((sum, { recordBytes }) => sum + recordBytes, 0)
  const fields = { count: items.length }
  const whole = commandOf(BulkCommand, fields, BulkCommand.bytesWith(itemBytes))
  let at = whole.itemsAt
  for (const item of items) {
    whole.u8.set(item.u8, at)
    at += item.recordBytes
  }
  // Cancels have no route; what is ordered in bulk goes to the book.
  for (const item of partsOf(whole)) if (isOrder(item)) order.of(item).route = Route.BookOnly
  return whole
}

/**
 * Sends a command, asked by `gateway` under the numbers in `requests`: one, or one per item of a
 * bulk. @returns false when the ring is full.
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
