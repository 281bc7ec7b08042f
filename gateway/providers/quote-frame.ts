import { isUtf8 } from 'node:buffer'
import { decimalCharsMax } from '../../schemas/bounds.js'
import type { RefusedRow } from '../../schemas/interface/streams.js'
import { Result } from '../../schemas/results.js'
import { isText } from '../wire/ascii-text.js'
import { decimalFaultOf, isZeroDecimal } from '../wire/exact-decimal.js'
import { Fault } from '../wire/fault.js'
import {
  depthMax,
  JsonByte,
  malformed,
  skipBlanks,
  skipName,
  skipString,
  skipValue,
} from '../wire/json-scan.js'
import { invalidJson, notUtf8 } from '../wire/parse-json.js'
import { invalidField, invalidParameter } from '../wire/request-fields.js'
import { printable } from '../wire/shown-text.js'
import { notListed, type QuotableInstruments } from './quotable-instruments.js'

/** Names of a row's texts, in their order in `QuoteFrame`. */
export const rowTexts = ['bid_price', 'ask_price', 'max_bid_size', 'max_ask_size'] as const

/** Frame types of snapshots: all rows without a scope, or one scope. */
export const quoteUpdate = 'indicative_quote_update'
export const scopedUpdate = 'scoped_indicative_quote_update'

const scopeLength = 32
const scopePattern = /^[0-9a-f]+$/
const fieldNames = ['instrument', ...rowTexts] as const
// Words per row: its instrument, then begin and end of each text.
const wordsPerRow = 1 + 2 * rowTexts.length
const rowsFirst = 512
const { quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket } = JsonByte
const point = 0x2e
const letterN = 0x6e // of null, as the value has been scanned
const wrongType = -1
/** First and last candidate field by first letter. */
const candidates: Readonly<Record<number, readonly [number, number]>> = {
  ...{ 105: [0, 0], 98: [1, 1], 97: [2, 2], 109: [3, 4] },
}
const noCandidates = [0, -1] as const

/** Maximum rows that an error lists; a frame of 1 MiB may have half a million faulty ones. */
export const refusedRowsMax = 1000

type Phase = 'members' | 'rows' | 'read'

/**
 * One frame of a provider's session, parsed in place, some rows at a time. Takes effect only once all of it is known to
 * be valid JSON. Stores only the positions of the rows' texts, because there may be thousands.
 */
export class QuoteFrame {
  readonly receivedMillis: number
  /** Value of the member `type`; '' if it is not a string. */
  type = ''
  scope: unknown = undefined
  /** Kind of the member `quotes`: a list, absent or null, or any other value. */
  quotes: 'list' | 'none' | 'other' = 'none'
  /** Fault of the whole frame, or null. */
  fault: Fault | null = null
  /** Accepted rows so far, and all rows read. */
  rowCount = 0
  readCount = 0
  /** Number of omitted rows, and the first of them. */
  refusedCount = 0
  readonly refused: RefusedRow[] = []
  #bytes: Buffer
  #at = 0
  #phase: Phase = 'members'
  #words = new Int32Array(0)
  #hints: Int32Array | null = null
  /** Texts with escapes, decoded. */
  readonly #decoded: string[] = []
  /** Begin and end of each field of the current row; 0 without a text. */
  readonly #places = new Int32Array(2 * fieldNames.length)

  constructor(bytes: Buffer, receivedMillis: number) {
    this.#bytes = bytes
    this.receivedMillis = receivedMillis
    if (!isUtf8(bytes)) this.#refuse(notUtf8())
    else {
      this.#at = skipBlanks(bytes, 0)
      if (bytes[this.#at] !== openBrace) this.#refuse(notAnObject(bytes, this.#at))
      else this.#at = skipBlanks(bytes, this.#at + 1)
    }
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  get isRead(): boolean {
    return this.#phase === 'read'
  }

  /** Copies the bytes, which the caller will reuse. */
  keep(): void {
    this.#bytes = Buffer.from(this.#bytes)
  }

  /**
   * Continues with up to `countMax` rows or other members.
   * @param hints Returns the likely instruments of the rows, in order.
   */
  read(countMax: number, instruments: QuotableInstruments, hints: () => Int32Array): void {
    for (let count = 0; count < countMax && this.#phase !== 'read'; count++) {
      if (this.#phase === 'members') this.#readMember()
      else this.#readRow(instruments, (this.#hints ??= hints()))
    }
    if (this.isRead) this.fault ??= this.#snapshotFault()
  }

  /** True for a valid snapshot of quotes. `fault` and `type` describe any other frame. */
  get isSnapshot(): boolean {
    return this.fault === null && this.#isUpdate
  }

  get #isUpdate(): boolean {
    return this.type === quoteUpdate || this.type === scopedUpdate
  }

  #snapshotFault(): Fault | null {
    if (!this.#isUpdate) return null
    if (this.quotes === 'none') return new Fault(Result.MissingField, { name: 'quotes' })
    if (this.quotes === 'other') return invalidParameter('quotes', 'must be a list')
    return this.type === scopedUpdate ? scopeFault(this.scope) : null
  }

  instrumentOf(row: number): number {
    return this.#words[row * wordsPerRow]!
  }

  /**
   * @param index Index in `rowTexts`.
   */
  textOf(row: number, index: number): string {
    const at = row * wordsPerRow + 1 + 2 * index
    const from = this.#words[at]!
    if (from < 0) return this.#decoded[-1 - from]!
    return from === 0 ? '0' : this.#bytes.toString('latin1', from, this.#words[at + 1])
  }

  /** Compares a text without allocating. */
  hasText(row: number, index: number, text: string): boolean {
    const at = row * wordsPerRow + 1 + 2 * index
    const from = this.#words[at]!
    if (from <= 0) return this.textOf(row, index) === text
    return isText(text, this.#bytes, from, this.#words[at + 1]!)
  }

  /** Reads the next member of the frame, or its end. */
  #readMember(): void {
    const bytes = this.#bytes
    const nameAt = this.#at
    if (bytes[nameAt] === closeBrace) {
      this.#end(nameAt + 1)
      return
    }
    const valueAt = skipName(bytes, nameAt)
    if (valueAt === malformed) {
      this.#refuseJson()
      return
    }
    const name = textAt(bytes, nameAt)
    if (name === 'quotes' && bytes[valueAt] === openBracket) {
      this.#beginRows(skipBlanks(bytes, valueAt + 1))
      return
    }
    const end = skipValue(bytes, valueAt, 1)
    if (end === malformed) {
      this.#refuseJson()
      return
    }
    if (name === 'type') this.type = bytes[valueAt] === quote ? textAt(bytes, valueAt) : ''
    else if (name === 'scope') {
      this.scope = JSON.parse(bytes.toString('utf8', valueAt, end))
    } else if (name === 'quotes') this.quotes = bytes[valueAt] === letterN ? 'none' : 'other'
    this.#nextMember(end)
  }

  /** Starts the list of rows. The last of duplicate members wins. */
  #beginRows(at: number): void {
    this.quotes = 'list'
    this.rowCount = 0
    this.refusedCount = this.refused.length = 0
    if (this.#bytes[at] === closeBracket) this.#nextMember(at + 1)
    else {
      this.#at = at
      this.#phase = 'rows'
    }
  }

  #nextMember(end: number): void {
    const at = skipBlanks(this.#bytes, end)
    this.#phase = 'members'
    this.#at = at
    if (this.#bytes[at] === closeBrace) return
    if (this.#bytes[at] !== comma) {
      this.#refuseJson()
      return
    }
    this.#at = skipBlanks(this.#bytes, at + 1)
    if (this.#bytes[this.#at] !== quote) this.#refuseJson()
  }

  #end(at: number): void {
    if (skipBlanks(this.#bytes, at) !== this.#bytes.length) this.#refuseJson()
    else this.#phase = 'read'
  }

  #readRow(instruments: QuotableInstruments, hints: Int32Array): void {
    const bytes = this.#bytes
    const from = this.#at
    const isObject = bytes[from] === openBrace
    const end = isObject ? this.#placeFields(from) : skipValue(bytes, from, 2)
    if (end === malformed) {
      this.#refuseJson()
      return
    }
    const index = this.readCount++
    if (isObject) this.#takeRow(instruments, hints[index] ?? notListed)
    else this.#leaveOut('', 'row must be an object')
    const at = skipBlanks(bytes, end)
    if (bytes[at] === comma) this.#at = skipBlanks(bytes, at + 1)
    else if (bytes[at] === closeBracket) this.#nextMember(at + 1)
    else this.#refuseJson()
  }

  #leaveOut(instrument: string, reason: string): void {
    if (this.refusedCount++ >= refusedRowsMax) return
    this.refused.push({ instrument: printable(instrument), reason })
  }

  /** Finds the fields of the row at an offset. @returns The row's end. */
  #placeFields(from: number): number {
    const bytes = this.#bytes
    this.#places.fill(0)
    let at = skipBlanks(bytes, from + 1)
    if (bytes[at] === closeBrace) return at + 1
    for (;;) {
      const valueAt = skipName(bytes, at)
      if (valueAt === malformed) return malformed
      const field = fieldAt(bytes, at)
      at = skipValue(bytes, valueAt, 3)
      if (at === malformed) return malformed
      if (field >= 0) this.#place(field, valueAt, at)
      at = skipBlanks(bytes, at)
      if (bytes[at] === closeBrace) return at + 1
      if (bytes[at] !== comma) return malformed
      at = skipBlanks(bytes, at + 1)
    }
  }

  #place(field: number, from: number, end: number): void {
    const places = this.#places
    const bytes = this.#bytes
    const isString = bytes[from] === quote
    const isNull = bytes[from] === 0x6e
    places[2 * field] = isString ? from + 1 : isNull ? 0 : wrongType
    places[2 * field + 1] = isString ? end - 1 : 0
    if (!isString) return
    if (end === from + 2) places[2 * field] = places[2 * field + 1] = 0
    for (let at = from + 1; at < end - 1; at++) {
      if (bytes[at] !== backslash) continue
      this.#decoded.push(textAt(bytes, from))
      places[2 * field] = wrongType - this.#decoded.length
      return
    }
  }

  #takeRow(instruments: QuotableInstruments, hint: number): void {
    const from = this.#places[0]!
    const to = this.#places[1]!
    const isHinted = from > 0 && instruments.isNamed(hint, this.#bytes, from, to)
    const name = isHinted ? '' : this.#text(0)
    const instrument = isHinted ? hint : instruments.find(name)
    const reason = this.#rowFault(instruments, instrument, name)
    if (reason !== null) {
      this.#leaveOut(name || this.#text(0), reason)
      return
    }
    // A row without price and size on either side means no quote, just like an omitted row.
    if (!this.#isQuoted(1, 3) && !this.#isQuoted(2, 4)) return
    const at = this.rowCount++ * wordsPerRow
    if (at + wordsPerRow > this.#words.length) this.#grow()
    const words = this.#words
    words[at] = instrument
    for (let word = 1; word < wordsPerRow; word++) {
      const place = this.#places[word + 1]!
      words[at + word] = place < wrongType ? place + 1 : place
    }
  }

  #rowFault(instruments: QuotableInstruments, instrument: number, name: string): string | null {
    if (instrument === notListed) {
      return name === '' ? 'instrument must be a symbol' : 'instrument is not listed'
    }
    const refusal = instruments.refusalOf(instrument)
    if (refusal !== null) return refusal
    for (let field = 1; field < fieldNames.length; field++) {
      const fault = this.#decimalFault(field)
      if (fault !== null) return `${fieldNames[field]} ${fault}`
    }
    return null
  }

  #isQuoted(price: number, size: number): boolean {
    return this.#isAboveZero(price) && this.#isAboveZero(size)
  }

  #isAboveZero(field: number): boolean {
    const from = this.#places[2 * field]!
    if (from < 0) return !isZeroDecimal(this.#text(field))
    const to = this.#places[2 * field + 1]!
    for (let at = from; at < to; at++) {
      const byte = this.#bytes[at]!
      if (byte > 0x30 && byte <= 0x39) return true
    }
    return false
  }

  #decimalFault(field: number): string | null {
    const from = this.#places[2 * field]!
    if (from === 0) return null
    if (from === wrongType) return 'must be a string'
    if (from > 0 && isDecimal(this.#bytes, from, this.#places[2 * field + 1]!)) return null
    const text = this.#text(field)
    return text === '' ? null : decimalFaultOf(text)
  }

  /** Returns the text of a field of the current row; '' if it has none. */
  #text(field: number): string {
    const from = this.#places[2 * field]!
    if (from < wrongType) return this.#decoded[wrongType - from - 1]!
    return from <= 0 ? '' : this.#bytes.toString('utf8', from, this.#places[2 * field + 1])
  }

  #grow(): void {
    const grown = new Int32Array(Math.max(rowsFirst * wordsPerRow, 2 * this.#words.length))
    grown.set(this.#words)
    this.#words = grown
  }

  #refuseJson(): void {
    this.#refuse(invalidJson(this.#bytes, depthMax))
  }

  #refuse(fault: Fault): void {
    this.fault = fault
    this.#phase = 'read'
  }
}

/** Returns the fault of a frame that is not a JSON object: either other JSON, or no JSON. */
function notAnObject(bytes: Buffer, at: number): Fault {
  const end = skipValue(bytes, at)
  const isJson = end !== malformed && skipBlanks(bytes, end) === bytes.length
  return isJson ? invalidField('message', 'must be a JSON object') : invalidJson(bytes, depthMax)
}

function scopeFault(scope: unknown): Fault | null {
  if (scope === undefined || scope === null)
    return new Fault(Result.MissingField, { name: 'scope' })
  if (typeof scope !== 'string') return invalidField('scope', 'must be a string')
  const { InvalidField } = Result
  if (scope.length !== scopeLength) {
    const text = `scope must be ${scopeLength} lowercase hex chars, got length ${scope.length}`
    return new Fault(InvalidField, {}, text)
  }
  return scopePattern.test(scope)
    ? null
    : new Fault(InvalidField, {}, 'scope must be canonical lowercase hex')
}

/** Decodes the string at an offset, which has been validated. */
function textAt(bytes: Buffer, from: number): string {
  const end = skipString(bytes, from)
  const raw = bytes.toString('utf8', from + 1, end - 1)
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
}

/** Returns the index in `fieldNames` of the name at an offset, or -1. */
function fieldAt(bytes: Buffer, from: number): number {
  const [first, last] = candidates[bytes[from + 1]!] ?? noCandidates
  for (let field = first; field <= last; field++) {
    const name = fieldNames[field]!
    const to = from + 1 + name.length
    if (bytes[to] === quote && isText(name, bytes, from + 1, to)) return field
  }
  for (let at = from + 1; bytes[at] !== quote; at++) {
    if (bytes[at] === backslash) return fieldNames.indexOf(textAt(bytes, from) as 'instrument')
  }
  return -1
}

function isDecimal(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > decimalCharsMax) return false
  let pointAt = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    if (byte >= 0x30 && byte <= 0x39) continue
    if (byte !== point || pointAt > 0 || at === from || at === to - 1) return false
    pointAt = at
  }
  return to > from
}
