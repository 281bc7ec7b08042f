import { assert } from '../../../schemas/assert.js'
import { clientIdBytesMax, underlyingBytesMax } from '../../../schemas/bounds.js'
import {
  bulkCountAt,
  bulkItemsAt,
  commandDigestAt,
  commandGatewayAt,
  commandNonceHighAt,
  commandNonceLowAt,
  commandRequestAt,
  commandSignerAt,
  commandWalletAt,
  keyExpiryDateAt,
  keyRightAt,
  keyStrikeMicrosAt,
  keyUnderlyingAt,
  placeRouteAt,
} from '../../../schemas/commands.js'
import { Route } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { writeText } from '../../memory/bytes.js'
import { recordBytesAt, recordPayloadAt, recordTypeAt } from '../../memory/layout.js'
import type { Ring } from '../../memory/ring.js'
import { addressOf, type PlannedInstrument } from './market-plan.js'

/** One command as bytes, ready for any command ring: kept, so that it can be sent again. */
export class CommandRecord {
  readonly type: number
  readonly u8: Uint8Array
  readonly i32: Int32Array
  readonly u32: Uint32Array
  readonly f64: Float64Array

  /** @param bytes length of the record, a multiple of 8. */
  constructor(type: CommandType, bytes: number) {
    assert((bytes & 7) === 0, 'command: records are aligned')
    this.type = type
    const buffer = new ArrayBuffer(bytes)
    this.u8 = new Uint8Array(buffer)
    this.i32 = new Int32Array(buffer)
    this.u32 = new Uint32Array(buffer)
    this.f64 = new Float64Array(buffer)
    this.i32[recordBytesAt >> 2] = bytes
    this.i32[recordTypeAt >> 2] = type
  }

  setWallet(wallet: number): this {
    this.u8.set(addressOf(wallet), commandWalletAt)
    return this
  }

  /** @param digest two numbers stand for 32 bytes: there are no signatures behind the gateways. */
  sign(signer: number, nonceHigh: number, nonceLow: number, digest: number): this {
    this.u8.set(addressOf(signer), commandSignerAt)
    this.u32[commandNonceHighAt >> 2] = nonceHigh
    this.u32[commandNonceLowAt >> 2] = nonceLow
    this.u32[commandDigestAt >> 2] = digest
    this.u32[(commandDigestAt >> 2) + 7] = ~digest
    return this
  }

  setText(at: number, text: string, bytes: number): this {
    writeText(text, this.u8, at, bytes)
    return this
  }

  setClientId(bytesAt: number, at: number, clientId: string): this {
    this.i32[bytesAt >> 2] = clientId.length
    return this.setText(at, clientId, clientIdBytesMax)
  }

  setKey(at: number, instrument: PlannedInstrument): this {
    this.setText(at + keyUnderlyingAt, instrument.underlying, underlyingBytesMax)
    this.i32[(at + keyExpiryDateAt) >> 2] = instrument.expiryDate
    this.i32[(at + keyRightAt) >> 2] = instrument.right
    this.f64[(at + keyStrikeMicrosAt) >> 3] = instrument.strikeMicros
    return this
  }

  setF64(at: number, value: number): this {
    this.f64[at >> 3] = value
    return this
  }

  setI32(at: number, value: number): this {
    this.i32[at >> 2] = value
    return this
  }

  /** The same bytes in a record of their own. */
  copy(): CommandRecord {
    const copy = new CommandRecord(this.type as CommandType, this.u8.length)
    copy.u8.set(this.u8)
    return copy
  }
}

function isOrder(type: number): boolean {
  return type === CommandType.PlaceOrder || type === CommandType.ReplaceOrder
}

/** The records as items of one bulk, in order. */
export function bulkOf(items: readonly CommandRecord[]): CommandRecord {
  let bytes = bulkItemsAt
  for (const item of items) bytes += item.u8.length
  const bulk = new CommandRecord(CommandType.Bulk, bytes)
  bulk.setI32(bulkCountAt, items.length)
  let at = bulkItemsAt
  for (const item of items) {
    bulk.u8.set(item.u8, at)
    // Cancels have no route; what is ordered in bulk goes to the book.
    if (isOrder(item.type)) bulk.setI32(at + placeRouteAt, Route.BookOnly)
    at += item.u8.length
  }
  return bulk
}

/**
 * Sends a record, asked by `gateway` under the numbers in `requests`: one, or one per item of a
 * bulk. @returns false when the ring is full.
 */
export function sendRecord(
  ring: Ring,
  record: CommandRecord,
  gateway: number,
  requests: readonly number[],
): boolean {
  const at = ring.tryClaim(record.u8.length, record.type)
  if (at < 0) return false
  ring.u8.set(record.u8.subarray(recordPayloadAt), at + recordPayloadAt)
  ring.i32[(at + commandGatewayAt) >> 2] = gateway
  if (record.type === CommandType.Bulk) {
    let item = at + bulkItemsAt
    for (const request of requests) {
      ring.i32[(item + commandGatewayAt) >> 2] = gateway
      ring.i32[(item + commandRequestAt) >> 2] = request
      item += ring.i32[(item + recordBytesAt) >> 2]
    }
  } else {
    ring.i32[(at + commandRequestAt) >> 2] = requests[0]
  }
  ring.commit()
  return true
}
