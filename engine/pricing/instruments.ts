import { assert } from '../../schemas/assert.js'
import { underlyingBytesMax, underlyingsMax } from '../../schemas/bounds.js'
import { InstrumentState, Right } from '../../schemas/domain.js'
import type { InstrumentKey } from '../../schemas/generated/commands.js'
import type { StateReader } from '../memory/state-codec.js'
import { InstrumentColumns } from '../tables/generated/instrument-columns.js'

const nameWords = underlyingBytesMax / 4

/** What a listing fixes for good; a perp has no right, date or strike, and expires never (`neverMillis`). */
export interface InstrumentTerms {
  readonly underlyingName: string
  /** YYYYMMDD, as in the symbol; the expiry time may be another when the operator says so. */
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
 * All instruments ever listed, as parallel columns indexed by instrument id. Ids are dense from 0 and rise in
 * order of listing; a deleted instrument keeps its id and its row. Underlyings get dense indexes in order of
 * their first instrument or index price. The core owns one table, the read model builds another from events.
 */
export class InstrumentTable extends InstrumentColumns {
  count = 0
  readonly underlyingNames: string[] = []
  /** By underlying, the most that its index may ever be, micros; 0 before it had an index and an instrument. */
  readonly maxIndexMicros = new Float64Array(underlyingsMax)
  /** Ids per underlying, in order of listing, but for deleted and settled ones: these have no marks any more. */
  readonly ofUnderlying: number[][] = []
  /** The settled ones. */
  readonly settledOfUnderlying: number[][] = []
  readonly #underlyingByName = new Map<string, number>()
  /** Names of the underlyings as four words each, for lookups from records. */
  readonly #nameWords = new Uint32Array(underlyingsMax * nameWords)
  /** Open addressing: instrument id or -1. Rebuilt when it grows or something is removed. */
  #places = new Int32Array(256).fill(-1)
  #keys = 0
  /** The strike that `#find` looks for: among its arguments it would be boxed. */
  readonly #strikeMicros = new Float64Array(1)

  /** Index of the underlying, added when new. @returns -1 when there are `underlyingsMax` already. */
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

  /** Indexes up to and including this one exist, in a table that follows the core's by events: an underlying
   * that has only been priced so far has an index there and no name here. */
  reserveUnderlying(index: number): void {
    assert(index >= 0 && index < underlyingsMax, 'instruments: the underlying index is valid')
    while (this.underlyingNames.length <= index) {
      this.underlyingNames.push('')
      this.ofUnderlying.push([])
      this.settledOfUnderlying.push([])
    }
  }

  /** Gives an index its name, in a table that follows the core's: the first instrument tells it. */
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

  /** @returns the index, or -1 when nothing was ever listed or priced under this name. */
  findUnderlying(name: string): number {
    return this.#underlyingByName.get(name) ?? -1
  }

  /** Adds an instrument. @returns its id. The key must be free: `find` was asked before. */
  add(terms: InstrumentTerms): number {
    const underlying = this.addUnderlying(terms.underlyingName)
    assert(underlying >= 0, 'instruments: too many underlyings')
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

  /** Adds the next instrument as `saveRow` wrote it; its underlying is known. @returns its id. */
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

  /** Puts an instrument where its state belongs: a deleted one has neither key nor list. */
  #list(id: number): void {
    const state = this.state[id]
    if (state === InstrumentState.Deleted) return
    const ids = state === InstrumentState.Settled ? this.settledOfUnderlying : this.ofUnderlying
    ids[this.underlying[id]].push(id)
    this.#insert(id)
  }

  /** Whether an instrument is a perp, and else an option. */
  isPerp(id: number): boolean {
    return this.right[id] === Right.None
  }

  /** @returns the id of the instrument with these terms, or -1; a deleted one is not found. */
  find(underlyingName: string, expiryDate: number, strikeMicros: number, right: number): number {
    const underlying = this.findUnderlying(underlyingName)
    this.#strikeMicros[0] = strikeMicros
    return underlying < 0 ? -1 : this.#find(underlying, expiryDate, right)
  }

  /** The same for the instrument key of a command; allocates nothing. */
  findKey(key: InstrumentKey): number {
    const underlying = this.#findName(key.u32, key.underlyingAt >> 2)
    if (underlying < 0) return -1
    this.#strikeMicros[0] = key.strikeMicros
    return this.#find(underlying, key.expiryDate, key.right)
  }

  /** Index of the underlying that a record names, or -1. */
  findNamed({ u32, underlyingAt }: NamesUnderlying): number {
    return this.#findName(u32, underlyingAt >> 2)
  }

  /** Marks an instrument deleted and frees its key: the same terms may be listed again under a new id. */
  remove(id: number): void {
    assert(id >= 0 && id < this.count, 'instruments: the instrument is listed')
    assert(this.state[id] !== InstrumentState.Deleted, 'instruments: it is deleted once')
    this.state[id] = InstrumentState.Deleted
    const underlying = this.underlying[id]
    take(this.ofUnderlying[underlying], id)
    take(this.settledOfUnderlying[underlying], id)
    this.#rebuild(this.#places.length)
  }

  /** Marks an instrument settled: it keeps its key, and leaves the list of those that are marked. */
  settle(id: number): void {
    assert(id >= 0 && id < this.count, 'instruments: the instrument is listed')
    assert(this.state[id] < InstrumentState.Settled, 'instruments: it is settled once')
    this.state[id] = InstrumentState.Settled
    const underlying = this.underlying[id]
    take(this.ofUnderlying[underlying], id)
    this.settledOfUnderlying[underlying].push(id)
  }

  /** The name stands in four words from `first` on. */
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
  // A strike exceeds 32 bits in micros, so both halves take part.
  const strike = (strikeMicros | 0) ^ Math.imul(Math.floor(strikeMicros / 4294967296), 0x85ebca6b)
  const mixed =
    Math.imul(underlying * 4 + right + Math.imul(expiryDate, 0x9e3779b1), 0xc2b2ae35) ^ strike
  const again = Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f)
  return again ^ (again >>> 13)
}

/** Takes an id out of a list, if it is there. */
function take(list: number[], id: number): void {
  const at = list.indexOf(id)
  if (at >= 0) list.splice(at, 1)
}

function packName(name: string, words: Uint32Array, first: number): void {
  for (let i = 0; i < name.length; i++)
    words[first + (i >> 2)] |= name.charCodeAt(i) << ((i & 3) * 8)
}
