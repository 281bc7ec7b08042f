/** What a hashed fact is about; part of the hash, so equal numbers of two kinds never cancel out. */
export const HashKind = {
  Cash: 1,
  Position: 2,
  PositionCost: 3,
  PositionRealized: 4,
  Order: 5,
  OrderOpen: 6,
  Nonce: 7,
  Agent: 8,
  AccountModes: 9,
  Instrument: 10,
  IndexPrice: 11,
  Surface: 12,
  Counter: 13,
  Outcome: 14,
  Deposit: 15,
  Halt: 16,
  FinalOrder: 17,
  Marked: 18,
  Account: 19,
  Config: 20,
  Underlying: 21,
  OrderSize: 22,
  OrderClientId: 23,
} as const
export type HashKind = (typeof HashKind)[keyof typeof HashKind]

const f64 = new Float64Array(1)
const u32 = new Uint32Array(f64.buffer)

/**
 * A hash of a set of facts, kept incrementally: the sum of a hash per fact in two 32-bit lanes. Adding and
 * removing commute, so the value depends on the state alone, not on the way to it, nor on slots or threads.
 * Not cryptographic: it finds divergence, not forgery.
 */
export class StateHash {
  low = 0
  high = 0

  /** Adds the fact (kind, a, b) = value; a and b are integers, value any double. */
  add(kind: HashKind, a: number, b: number, value: number): void {
    const first = mix(kind, a, b, value)
    this.low = (this.low + first) | 0
    this.high = (this.high + mixAgain(first, b)) | 0
  }

  /** Removes a fact that was added with exactly these values. */
  remove(kind: HashKind, a: number, b: number, value: number): void {
    const first = mix(kind, a, b, value)
    this.low = (this.low - first) | 0
    this.high = (this.high - mixAgain(first, b)) | 0
  }
}

/** Two lanes as 16 hex digits. */
export function hashText(low: number, high: number): string {
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0')
}

// Multiply-xorshift rounds after MurmurHash3's 32-bit finaliser, whose constants these are.
function mix(kind: number, a: number, b: number, value: number): number {
  f64[0] = value
  let h = Math.imul(kind, 0x9e3779b1) ^ u32[0]
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul((h ^ (h >>> 13)) + u32[1], 0xc2b2ae35)
  f64[0] = a
  h = Math.imul((h ^ (h >>> 16)) + u32[0], 0x85ebca6b)
  h = Math.imul((h ^ (h >>> 13)) + u32[1], 0xc2b2ae35)
  f64[0] = b
  h = Math.imul((h ^ (h >>> 16)) + u32[0], 0x85ebca6b)
  h = Math.imul((h ^ (h >>> 13)) + u32[1], 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function mixAgain(first: number, b: number): number {
  let h = Math.imul(first ^ (b | 0) ^ 0x27d4eb2f, 0x165667b1)
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  return h ^ (h >>> 13)
}
