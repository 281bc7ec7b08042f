/** Raised with what the hash of a state is made of, or how: journal and snapshots name the one that they carry. */
export const hashVersion = 1

/** A hash as its two lanes. */
export interface HashLanes {
  readonly low: number
  readonly high: number
}

/** What a hashed element is about; part of the hash, so equal numbers of two kinds never cancel out. */
export const HashKind = {
  /** Of the two halves of clearing: journals have them under no number, as they were first compiled. */
  Clearing: 0,
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
  Mmp: 24,
  MmpWindow: 25,
  IndexSample: 26,
  Settlement: 27,
  Payout: 28,
  Funds: 29,
  Liquidation: 30,
  Auction: 31,
  OrderBuilder: 32,
  PerpFunding: 33,
  FundingRound: 34,
  FundingShare: 35,
  Clock: 36,
  MaxIndex: 51,
  Builder: 52,
} as const
export type HashKind = (typeof HashKind)[keyof typeof HashKind]

/**
 * The element that `addElement` and `removeElement` take: [a, b, value]. A call that is not inlined would box doubles
 * among its arguments; typed slots cost nothing, and the words to be mixed stand in them already.
 */
export const element = new Float64Array(3)
const words = new Uint32Array(element.buffer)

/**
 * A hash of a set of elements, kept incrementally: the sum of a hash per element in two 32-bit lanes. Adding and
 * removing commute, so the value depends on the state alone, not on the way to it, nor on slots or threads.
 * Not cryptographic: it finds divergence, not forgery.
 */
export class StateHash {
  low = 0
  high = 0

  /** Adds the element (kind, a, b) = value; a and b are integers, value any double. */
  add(kind: HashKind, a: number, b: number, value: number): void {
    element[0] = a
    element[1] = b
    element[2] = value
    this.addElement(kind)
  }

  /** Removes an element that was added with exactly these values. */
  remove(kind: HashKind, a: number, b: number, value: number): void {
    element[0] = a
    element[1] = b
    element[2] = value
    this.removeElement(kind)
  }

  /** Adds what stands in `element`. */
  addElement(kind: HashKind): void {
    const first = mix(kind)
    this.low = (this.low + first) | 0
    this.high = (this.high + mixAgain(first)) | 0
  }

  /** Removes what stands in `element`. */
  removeElement(kind: HashKind): void {
    const first = mix(kind)
    this.low = (this.low - first) | 0
    this.high = (this.high - mixAgain(first)) | 0
  }
}

/** Two lanes as 16 hex digits. */
export function hashText(low: number, high: number): string {
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0')
}

// Multiply-xorshift rounds after MurmurHash3's 32-bit finaliser, whose constants these are: over the words of
// the value, then of a, then of b.
function mix(kind: number): number {
  let h = Math.imul(kind, 0x9e3779b1) ^ words[4]
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul((h ^ (h >>> 13)) + words[5], 0xc2b2ae35)
  h = Math.imul((h ^ (h >>> 16)) + words[0], 0x85ebca6b)
  h = Math.imul((h ^ (h >>> 13)) + words[1], 0xc2b2ae35)
  h = Math.imul((h ^ (h >>> 16)) + words[2], 0x85ebca6b)
  h = Math.imul((h ^ (h >>> 13)) + words[3], 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function mixAgain(first: number): number {
  let h = Math.imul(first ^ (element[1] | 0) ^ 0x27d4eb2f, 0x165667b1)
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  return h ^ (h >>> 13)
}
