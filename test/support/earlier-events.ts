import {
  AccountEvent,
  EventType,
  FillEvent,
  RfqEvent,
  TransferEvent,
} from '../../schemas/generated/events.js'
import { type RecordViews, viewsOf } from '../../schemas/record-views.js'

// Events as an earlier version of the engine told them: what they say beside that is left out of what a replay tells.

const header = new Int32Array(1)
const headerBytes = new Uint8Array(header.buffer)

/** Where a field stands in its record. */
function offsetOf<Record extends { over(views: RecordViews, at: number): Record }>(
  record: Record,
  field: keyof Record,
  isDouble = true,
): number {
  const views = viewsOf(new ArrayBuffer(1024))
  // The least double above 0 and the integer 1 begin with the same byte.
  Object.assign(record.over(views, 0), { [field]: isDouble ? Number.MIN_VALUE : 1 })
  return views.u8.indexOf(1)
}

const standingBytes = 3 * 8
const standingAt = offsetOf(new FillEvent(), 'marginMicros')
const notionalBytes = 8
const notionalAt = offsetOf(new FillEvent(), 'notionalMicros')
const realizedBytes = 8
const fillRealizedAt = offsetOf(new FillEvent(), 'positionRealizedMicros')
const accountRealizedAt = offsetOf(new AccountEvent(), 'realizedMicros')
const transferRealizedAt = offsetOf(new TransferEvent(), 'positionRealizedMicros')
const referenceAt = offsetOf(new RfqEvent(), 'referenceMicros')
const mustImproveAt = offsetOf(new RfqEvent(), 'mustImprove', false)
const countAt = offsetOf(new RfqEvent(), 'count', false)

/** An event's bytes as that version of the engine would have told it; its type stands at byte 4. */
export function bytesAsOf(version: number, bytes: Uint8Array): Uint8Array {
  if (version >= 7) return bytes
  const type = new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true)
  const plain =
    type === EventType.Fill
      ? without(without(bytes, standingAt, standingBytes), notionalAt, notionalBytes)
      : type === EventType.Account
        ? without(bytes, accountRealizedAt, realizedBytes)
        : bytes
  return version >= 6 ? plain : before6(type, plain)
}

function before6(type: number, bytes: Uint8Array): Uint8Array {
  if (type === EventType.Fill) return without(bytes, fillRealizedAt, realizedBytes)
  if (type === EventType.Transfer) return without(bytes, transferRealizedAt, realizedBytes)
  if (type !== EventType.Rfq) return bytes
  // The number of legs stood where it is said now whether quotes have to improve.
  const moved = bytes.slice()
  moved.copyWithin(mustImproveAt, countAt, countAt + 4)
  moved.fill(0, countAt, countAt + 4)
  return without(moved, referenceAt, mustImproveAt - referenceAt)
}

/** A record without some of its bytes, of which its length does not speak either. */
function without(bytes: Uint8Array, at: number, count: number): Uint8Array {
  const rest = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)])
  header[0] = rest.length
  rest.set(headerBytes, 0)
  return rest
}
