import { assert } from '../../schemas/assert.js'
import { underlyingBytesMax, underlyingsMax } from '../../schemas/bounds.js'
import { InstrumentState, Right } from '../../schemas/domain.js'
import type { InstrumentKey } from '../../schemas/generated/commands.js'
import type { StateReader } from '../memory/state-codec.js'
import { InstrumentColumns } from '../tables/generated/instrument-columns.js'

const nameWords = underlyingBytesMax / 4

/** Permanent terms of a listing. A perp has no right, date or strike, and never expires (`neverMillis`). */
export interface InstrumentTerms {
  readonly underlyingName: string
  /** YYYYMMDD, as in the symbol. The operator may set a different expiry time. */
  readonly expiryDate: number
  readonly expiryMillis: number
  readonly strikeMicros: number
  readonly right: Right
  readonly tradingMode: number
  readonly listedMillis: number
}

/** A record with the NUL-padded name of an underlying. */
export interface NamesUnderlying {
  readonly u32: Uint32Array
  readonly underlyingAt: number
}

/**
 * All instruments ever listed, as parallel columns indexed by instrument id. Ids are dense from 0, in order of listing;
 * a deleted instrument keeps its id and its row. Underlyings get dense indexes in order of their first instrument or
 * index price. The core owns one table; the read model builds another from events.
 */
export class InstrumentTable extends InstrumentColumns {
  count = 0
  readonly underlyingNames: string[] = []
  /** By underlying, maximum of its index in micros; 0 until it has an index and an instrument. */
  readonly maxIndexMicros = new Float64Array(underlyingsMax)
  /** Ids per underlying, in order of listing, except deleted and settled ones, which have no marks. */
  readonly ofUnderlying: number[][] = []
  /** Ids of the settled instruments per underlying. */
  readonly settledOfUnderlying: number[][] = []
  readonly #underlyingByName = new Map<string, number>()
  /** Names of the underlyings as four words each, for lookups by records. */
  readonly #nameWords = new Uint32Array(underlyingsMax * nameWords)
  /** Open addressing: instrument id or -1. Rebuilt when it grows or an instrument is removed. */
  #places = new Int32Array(256).fill(-1)
  #keys = 0
  /** Strike that `#find` searches; an argument would be boxed. */
  readonly #strikeMicros = new Float64Array(1)

  /** Returns the index of an underlying, added if new. @returns -1 if there are already `underlyingsMax`. */
  addUnderlying(name: string): number {
    const known = this.#underlyingByName.get(name)
    if (known !== undefined) return known
    if (this.underlyingNames.length === underlyingsMax) return -1
    assert(
      name !== '' && name.length <= underlyingBytesMax,
      'instruments: the name of an underlying fits',
    )
    const index = this.underlyingNames.length
    this.underlyingNames.push(name)
    packName(name, this.#nameWords, index * nameWords)
    this.ofUnderlying.push([])
    this.settledOfUnderlying.push([])
    this.#underlyingByName.set(name, index)
    return index
  }

  /**
   * Creates indexes up to and including this one, in a table that follows the core's by events. An underlying that has
   * only had prices so far has an index there and no name here.
   */
  reserveUnderlying(index: number): void {
    assert(index >= 0 && index < underlyingsMax, 'instruments: the underlying index is valid')
    while (this.underlyingNames.length <= index) {
      this.underlyingNames.push('')
      this.ofUnderlying.push([])
      this.settledOfUnderlying.push([])
    }
  }

  /** Names an index, in a table that follows the core's. The first instrument provides the name. */
  nameUnderlying(index: number, name: string): void {
    this.reserveUnderlying(index)
    if (this.underlyingNames[index] === name) return
    assert(this.underlyingNames[index] === '', 'instruments: an underlying keeps its name')
    assert(
      name !== '' && name.length <= underlyingBytesMax,
      'instruments: the name of an underlying fits',
    )
    this.underlyingNames[index] = name
    packName(name, this.#nameWords, index * nameWords)
    this.#underlyingByName.set(name, index)
  }

  /** @returns the index, or -1 if nothing was ever listed or priced under this name. */
  findUnderlying(name: string): number {
    return this.#underlyingByName.get(name) ?? -1
  }

  /** Adds an instrument. @returns its id. The terms must be free: the caller has called `find` before. */
  add(terms: InstrumentTerms): number {
    const underlying = this.addUnderlying(terms.underlyingName)
    assert(underlying >= 0, 'instruments: there is room for the underlying')
    const { expiryDate, expiryMillis, strikeMicros, right } = terms
    assert(right === Right.None || strikeMicros > 0, 'instruments: an option has a strike')
    assert(expiryMillis > 0, 'instruments: the expiry is positive')
    this.#strikeMicros[0] = strikeMicros
    assert(this.#find(underlying, expiryDate, right) < 0, 'instruments: listed twice')
    const id = this.#take()
    this.underlying[id] = underlying
    this.expiryDate[id] = terms.expiryDate
    this.expiryMillis[id] = terms.expiryMillis
    this.strikeMicros[id] = terms.strikeMicros
    this.right[id] = terms.right
    this.state[id] = InstrumentState.Active
    this.tradingMode[id] = terms.tradingMode
    this.listedMillis[id] = terms.listedMillis
    this.#list(id)
    return id
  }

  /** Adds the next instrument as `saveRow` wrote it; its underlying must exist. @returns its id. */
  load(reader: StateReader): number {
    const id = this.#take()
    this.loadRow(id, reader)
    const isKnown = this.underlying[id] < this.underlyingNames.length
    assert(isKnown, 'instruments: the underlying exists')
    this.#list(id)
    return id
  }

  #take(): number {
    if (this.count === this.length) this.growTo(2 * this.length)
    return this.count++
  }

  /** Adds an instrument to the list of its state and to the index. A deleted one is in neither. */
  #list(id: number): void {
    const state = this.state[id]
    if (state === InstrumentState.Deleted) return
    const ids = state === InstrumentState.Settled ? this.settledOfUnderlying : this.ofUnderlying
    ids[this.underlying[id]].push(id)
    this.#insert(id)
  }

  /** Returns true if an instrument is a perp, false if it is an option. */
  isPerp(id: number): boolean {
    return this.right[id] === Right.None
  }

  /** @returns the id of the instrument with these terms, or -1. Deleted instruments are not found. */
  find(underlyingName: string, expiryDate: number, strikeMicros: number, right: number): number {
    const underlying = this.findUnderlying(underlyingName)
    this.#strikeMicros[0] = strikeMicros
    return underlying < 0 ? -1 : this.#find(underlying, expiryDate, right)
  }

  /** `find` for the instrument key of a command; allocates nothing. */
  findKey(key: InstrumentKey): number {
    const underlying = this.#findName(key.u32, key.underlyingAt >> 2)
    if (underlying < 0) return -1
    this.#strikeMicros[0] = key.strikeMicros
    return this.#find(underlying, key.expiryDate, key.right)
  }

  /** Returns the index of the underlying that a record names, or -1. */
  findNamed({ u32, underlyingAt }: NamesUnderlying): number {
    return this.#findName(u32, underlyingAt >> 2)
  }

  /** Marks an instrument as deleted and frees its terms, which may be listed again under a new id. */
  remove(id: number): void {
    assert(id >= 0 && id < this.count, 'instruments: the instrument is listed')
    assert(this.state[id] !== InstrumentState.Deleted, 'instruments: it is deleted once')
    this.state[id] = InstrumentState.Deleted
    const underlying = this.underlying[id]
    removeFrom(this.ofUnderlying[underlying], id)
    removeFrom(this.settledOfUnderlying[underlying], id)
    this.#rebuild(this.#places.length)
  }

  /** Marks an instrument as settled. It remains in the index, and leaves the list of marked instruments. */
  settle(id: number): void {
    assert(id >= 0 && id < this.count, 'instruments: the instrument is listed')
    assert(this.state[id] < InstrumentState.Settled, 'instruments: it is settled once')
    this.state[id] = InstrumentState.Settled
    const underlying = this.underlying[id]
    removeFrom(this.ofUnderlying[underlying], id)
    this.settledOfUnderlying[underlying].push(id)
  }

  /** Finds the name in the four words from `first` on. */
  #findName(words: Uint32Array, first: number): number {
    const known = this.#nameWords
    for (let index = 0, at = 0; index < this.underlyingNames.length; index++, at += nameWords) {
      if (
        known[at] === words[first] &&
        known[at + 1] === words[first + 1] &&
        known[at + 2] === words[first + 2] &&
        known[at + 3] === words[first + 3]
      ) {
        return index
      }
    }
    return -1
  }

  #find(underlying: number, expiryDate: number, right: number): number {
    const strikeMicros = this.#strikeMicros[0]
    const mask = this.#places.length - 1
    let place = hashOf(underlying, expiryDate, strikeMicros, right) & mask
    for (;;) {
      const id = this.#places[place]
      if (
        id < 0 ||
        (this.underlying[id] === underlying &&
          this.expiryDate[id] === expiryDate &&
          this.strikeMicros[id] === strikeMicros &&
          this.right[id] === right)
      ) {
        return id
      }
      place = (place + 1) & mask
    }
  }

  #insert(id: number): void {
    if ((this.#keys + 1) * 2 > this.#places.length) this.#rebuild(this.#places.length * 2)
    else this.#occupy(id)
  }

  #occupy(id: number): void {
    const mask = this.#places.length - 1
    const { underlying, expiryDate, strikeMicros, right } = this
    let place = hashOf(underlying[id], expiryDate[id], strikeMicros[id], right[id]) & mask
    while (this.#places[place] >= 0) place = (place + 1) & mask
    this.#places[place] = id
    this.#keys++
  }

  #rebuild(length: number): void {
    this.#places = new Int32Array(length).fill(-1)
    this.#keys = 0
    for (let id = 0; id < this.count; id++) {
      if (this.state[id] !== InstrumentState.Deleted) this.#occupy(id)
    }
  }
}

function hashOf(
  underlying: number,
  expiryDate: number,
  strikeMicros: number,
  right: number,
): number {
  // A strike in micros exceeds 32 bits, so both halves are used.
  const strike = (strikeMicros | 0) ^ Math.imul(Math.floor(strikeMicros / 4294967296), 0x85ebca6b)
  const mixed =
    Math.imul(underlying * 4 + right + Math.imul(expiryDate, 0x9e3779b1), 0xc2b2ae35) ^ strike
  const again = Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f)
  return again ^ (again >>> 13)
}

/** Removes an id from a list, if present. */
function removeFrom(list: number[], id: number): void {
  const at = list.indexOf(id)
  if (at >= 0) list.splice(at, 1)
}

function packName(name: string, words: Uint32Array, first: number): void {
  for (let i = 0; i < name.length; i++)
    words[first + (i >> 2)] |= name.charCodeAt(i) << ((i & 3) * 8)
}
