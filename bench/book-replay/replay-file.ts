import { readFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

// File of the order-book yardstick: brotli-compressed columns, little endian.
//
//  0       4               4 + n           4 + 2n          4 + 6n          4 + 10n
//  +-------+---- ... ------+---- ... ------+---- ... ------+---- ... ------+
//  | n     | kind, u8      | quantity, u8  | order id, u32 | ticks, i32    |
//  +-------+---- ... ------+---- ... ------+---- ... ------+---- ... ------+

/** Operation of a message: the low two bits of its kind. */
export const MessageKind = { New: 0, Cancel: 1, Modify: 2 } as const
export const kindMask = 3
export const sellBit = 4
export const immediateBit = 8

const countBytes = 4
const messageBytes = 10
const kindBitsKnown = kindMask | sellBit | immediateBit

/** Messages of a file. The index of a message is its sequence number. */
export interface ReplayFile {
  readonly count: number
  readonly kinds: Uint8Array
  readonly quantities: Uint8Array
  readonly orderIds: Uint32Array
  readonly ticks: Int32Array
}

/** @throws Error with the path if the file cannot be read or is invalid. */
export function readReplayFile(path: string): ReplayFile {
  try {
    return decodeReplayFile(readFileSync(path))
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** @throws Error if the bytes are not brotli, do not match their message count, or have an unknown kind. */
export function decodeReplayFile(compressed: Uint8Array): ReplayFile {
  const packed = brotliDecompressSync(compressed)
  if (packed.length < countBytes) throw new Error('no count of messages')
  const count = packed.readUInt32LE(0)
  const bytes = countBytes + count * messageBytes
  if (packed.length !== bytes) {
    throw new Error(`${packed.length} bytes, where ${count} messages make ${bytes}`)
  }
  const orderIdsAt = countBytes + 2 * count
  const file: ReplayFile = {
    count,
    kinds: Uint8Array.from(packed.subarray(countBytes, countBytes + count)),
    quantities: Uint8Array.from(packed.subarray(countBytes + count, orderIdsAt)),
    orderIds: new Uint32Array(count),
    ticks: new Int32Array(count),
  }
  // A DataView, because the columns are unaligned and the machine may be big endian.
  const view = new DataView(packed.buffer, packed.byteOffset + orderIdsAt)
  for (let message = 0; message < count; message++) {
    file.orderIds[message] = view.getUint32(message * 4, true)
    file.ticks[message] = view.getInt32((count + message) * 4, true)
  }
  checkMessages(file)
  return file
}

/** Encodes a file. Compression is fast, because the file is temporary. */
export function encodeReplayFile(file: ReplayFile): Uint8Array {
  const { count } = file
  const packed = Buffer.alloc(countBytes + count * messageBytes)
  packed.writeUInt32LE(count, 0)
  packed.set(file.kinds, countBytes)
  packed.set(file.quantities, countBytes + count)
  const orderIdsAt = countBytes + 2 * count
  for (let message = 0; message < count; message++) {
    packed.writeUInt32LE(file.orderIds[message], orderIdsAt + message * 4)
    packed.writeInt32LE(file.ticks[message], orderIdsAt + (count + message) * 4)
  }
  return brotliCompressSync(packed, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
}

function checkMessages({ count, kinds, quantities }: ReplayFile): void {
  for (let message = 0; message < count; message++) {
    const kind = kinds[message] & kindMask
    if (kind > MessageKind.Modify || (kinds[message] & ~kindBitsKnown) !== 0) {
      throw new Error(`message ${message} has kind ${kinds[message]}, which the format lacks`)
    }
    if (kind !== MessageKind.Cancel && quantities[message] === 0) {
      throw new Error(`message ${message} asks for an order of nothing`)
    }
  }
}
