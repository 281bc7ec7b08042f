import { assert } from '../../schemas/assert.js'
import { underlyingsMax } from '../../schemas/bounds.js'
import { InstrumentState, type Right } from '../../schemas/domain.js'

/** What a listing fixes for good. */
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

/**
 * All instruments ever listed, as parallel columns indexed by instrument id. Ids are dense from 0 and rise in
 * order of listing; a deleted instrument keeps its id and its row. Underlyings get dense indexes in order of
 * their first instrument or index price. The core owns one table, the read model builds another from events.
 */
export class InstrumentTable {
  count = 0
  underlying = new Int32Array(64)
  expiryDate = new Int32Array(64)
  expiryMillis = new Float64Array(64)
  strikeMicros = new Float64Array(64)
  right = new Uint8Array(64)
  state = new Uint8Array(64)
  tradingMode = new Uint8Array(64)
  listedMillis = new Float64Array(64)

  readonly underlyingNames: string[] = []
  /** Ids per underlying, in order of listing; expired and deleted ones stay until `compactUnderlying`. */
  readonly ofUnderlying: number[][] = []
  readonly #underlyingByName = new Map<string, number>()
  readonly #byKey = new Map<string, number>()

  /** Index of the underlying, added when new. @returns -1 when there are `underlyingsMax` already. */
  addUnderlying(name: string): number {
    const known = this.#underlyingByName.get(name)
    if (known !== undefined) return known
    if (this.underlyingNames.length === underlyingsMax) return -1
    const index = this.underlyingNames.length
    this.underlyingNames.push(name)
    this.ofUnderlying.push([])
    this.#underlyingByName.set(name, index)
    return index
  }

  /** @returns the index, or -1 when nothing was ever listed or priced under this name. */
  findUnderlying(name: string): number {
    return this.#underlyingByName.get(name) ?? -1
  }

  /** Adds an instrument. @returns its id. The key must be free: `find` was asked before. */
  add(terms: InstrumentTerms): number {
    const underlying = this.addUnderlying(terms.underlyingName)
    assert(underlying >= 0, 'instruments: too many underlyings')
    const key = instrumentKey(
      terms.underlyingName,
      terms.expiryDate,
      terms.strikeMicros,
      terms.right,
    )
    assert(!this.#byKey.has(key), 'instruments: listed twice')
    if (this.count === this.underlying.length) this.#grow()
    const id = this.count++
    this.underlying[id] = underlying
    this.expiryDate[id] = terms.expiryDate
    this.expiryMillis[id] = terms.expiryMillis
    this.strikeMicros[id] = terms.strikeMicros
    this.right[id] = terms.right
    this.state[id] = InstrumentState.Active
    this.tradingMode[id] = terms.tradingMode
    this.listedMillis[id] = terms.listedMillis
    this.ofUnderlying[underlying].push(id)
    this.#byKey.set(key, id)
    return id
  }

  /** @returns the id of the instrument with these terms, or -1; a deleted one is not found. */
  find(underlyingName: string, expiryDate: number, strikeMicros: number, right: number): number {
    return this.#byKey.get(instrumentKey(underlyingName, expiryDate, strikeMicros, right)) ?? -1
  }

  /** Marks an instrument deleted and frees its key: the same terms may be listed again under a new id. */
  remove(id: number): void {
    const name = this.underlyingNames[this.underlying[id]]
    this.state[id] = InstrumentState.Deleted
    this.#byKey.delete(
      instrumentKey(name, this.expiryDate[id], this.strikeMicros[id], this.right[id]),
    )
    const list = this.ofUnderlying[this.underlying[id]]
    list.splice(list.indexOf(id), 1)
  }

  #grow(): void {
    const length = this.underlying.length * 2
    this.underlying = grown(this.underlying, new Int32Array(length))
    this.expiryDate = grown(this.expiryDate, new Int32Array(length))
    this.expiryMillis = grown(this.expiryMillis, new Float64Array(length))
    this.strikeMicros = grown(this.strikeMicros, new Float64Array(length))
    this.right = grown(this.right, new Uint8Array(length))
    this.state = grown(this.state, new Uint8Array(length))
    this.tradingMode = grown(this.tradingMode, new Uint8Array(length))
    this.listedMillis = grown(this.listedMillis, new Float64Array(length))
  }
}

function instrumentKey(
  name: string,
  expiryDate: number,
  strikeMicros: number,
  right: number,
): string {
  return `${name}-${expiryDate}-${strikeMicros}-${right}`
}

/** Copies a full column into a larger one. */
export function grown<T extends { set(source: T): void }>(column: T, larger: T): T {
  larger.set(column)
  return larger
}
