import { moneyMicrosMax } from '../../schemas/bounds.js'
import type { StateReader, StateSink } from './state-codec.js'

// What the wallets of a whole expiry owe is the sum of amounts each of which is near the range of doubles: such sums are
// integers of any length, and stand in snapshot and hash as two doubles, the higher of which is nearly always 0.

const partSize = 2n ** 52n

/** The part of a sum below 2^52, with its sign. */
export function lowPart(sum: bigint): number {
  return Number(sum % partSize)
}

/** How many times 2^52 a sum has beside that. */
export function highPart(sum: bigint): number {
  return Number(sum / partSize)
}

/** A sum to be shown: what no double holds exactly is the most that one does. */
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
