import { entryOf } from './entry-of.js'

// Sums of a wallet's events in an interval, by instrument or source: in memory, and packed as in the store. All sums of
// an interval are one row, because a row per instrument would mean one for nearly every fill:
//
//      instrument | lots | cost | realized | events | instrument | lots | ...          doubles, by rising instrument

/** Sums of the events of one instrument or source. */
export interface Sums {
  lots: number
  costMicros: number
  /** After fees. */
  realizedMicros: number
  events: number
}

/** Sums by instrument or `ProfitSource`. */
export type WalletSums = Map<number, Sums>

/** Sums with their instrument or `ProfitSource`. */
export interface SumRow extends Readonly<Sums> {
  readonly about: number
}

/** Packed sums as the driver returns them: `get` and `all` differ in the type. */
export type PackedSums = Uint8Array | ArrayBuffer

const fields = 5
const entryBytes = fields * Float64Array.BYTES_PER_ELEMENT

export function add(sums: WalletSums, row: SumRow): void {
  const known = sumsAbout(sums, row.about)
  known.lots += row.lots
  known.costMicros += row.costMicros
  known.realizedMicros += row.realizedMicros
  known.events += row.events
}

/** Adds packed sums, without an object for each entry. @param sign -1: subtracts them. */
export function addPacked(sums: WalletSums, packed: PackedSums, sign: 1 | -1 = 1): void {
  const doubles = doublesOf(packed)
  for (let at = 0; at < doubles.length; at += fields) {
    const known = sumsAbout(sums, doubles[at])
    known.lots += sign * doubles[at + 1]
    known.costMicros += sign * doubles[at + 2]
    known.realizedMicros += sign * doubles[at + 3]
    known.events += sign * doubles[at + 4]
  }
}

export function sumsAbout(sums: WalletSums, about: number): Sums {
  return entryOf(sums, about, () => ({ lots: 0, costMicros: 0, realizedMicros: 0, events: 0 }))
}

export function subtract(sums: WalletSums, row: SumRow): void {
  add(sums, negated(row))
}

export function negated(row: SumRow): SumRow {
  const { about, lots, costMicros, realizedMicros, events } = row
  return {
    about,
    lots: -lots,
    costMicros: -costMicros,
    realizedMicros: -realizedMicros,
    events: -events,
  }
}

/** Packs the total of packed sums, if any, and other sums. Omits entries that are zero. */
export function packSums(known: PackedSums | null, more: WalletSums): Uint8Array {
  const old = known === null ? new Float64Array(0) : doublesOf(known)
  const added = Float64Array.from(more.keys()).sort()
  const out = new Float64Array(old.length + added.length * fields)
  let end = 0
  let at = 0
  for (const about of added) {
    const from = at
    while (at < old.length && old[at] < about) at += fields
    out.set(old.subarray(from, at), end)
    end += at - from
    const isKnown = at < old.length && old[at] === about
    if (isKnown) out.set(old.subarray(at, at + fields), end)
    else out[end] = about
    if (isKnown) at += fields
    const one = more.get(about)!
    out[end + 1] += one.lots
    out[end + 2] += one.costMicros
    out[end + 3] += one.realizedMicros
    out[end + 4] += one.events
    if (isZero(out, end)) out.fill(0, end, end + fields)
    else end += fields
  }
  out.set(old.subarray(at), end)
  end += old.length - at
  return new Uint8Array(out.buffer, 0, end * Float64Array.BYTES_PER_ELEMENT)
}

export function unpackSums(packed: PackedSums): SumRow[] {
  const doubles = doublesOf(packed)
  return Array.from({ length: packed.byteLength / entryBytes }, (_, entry) => {
    const at = entry * fields
    return {
      about: doubles[at],
      lots: doubles[at + 1],
      costMicros: doubles[at + 2],
      realizedMicros: doubles[at + 3],
      events: doubles[at + 4],
    }
  })
}

function isZero(out: Float64Array, at: number): boolean {
  return out[at + 1] === 0 && out[at + 2] === 0 && out[at + 3] === 0 && out[at + 4] === 0
}

/** Copies the bytes, which may be unaligned. */
function doublesOf(bytes: PackedSums): Float64Array {
  return new Float64Array(bytes instanceof ArrayBuffer ? bytes : Uint8Array.from(bytes).buffer)
}
