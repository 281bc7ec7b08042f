import { moneyMicrosMax } from '../../schemas/bounds.js'
import type { StateReader, StateSink } from './state-codec.js'

// The wallets of a whole expiry owe a sum of amounts that may each be close to the exact range of doubles. Such sums
// are BigInt. Snapshot and hash store them as two doubles, of which the higher is nearly always 0.

const partSize = 2n ** 52n

/** Returns the part of a sum below 2^52, with its sign. */
export function lowPart(sum: bigint): number {
  return Number(sum % partSize)
}

/** Returns the multiple of 2^52 in a sum. */
export function highPart(sum: bigint): number {
  return Number(sum / partSize)
}

/** Returns a sum for display, limited to the range of money. */
export function clipped(sum: bigint): number {
  const max = BigInt(moneyMicrosMax)
  return Number(sum > max ? max : sum < -max ? -max : sum)
}

export function writeSum(sink: StateSink, sum: bigint): void {
  sink.f64(lowPart(sum))
  sink.f64(highPart(sum))
}

export function readSum(reader: StateReader): bigint {
  const low = BigInt(reader.f64())
  return low + BigInt(reader.f64()) * partSize
}
