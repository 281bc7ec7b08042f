import { decimalFaultText, parseAmountMicros, parseStrikeMicros } from '../../schemas/decimal.js'
import { Result } from '../../schemas/results.js'
import { type InstrumentSymbol, isUnderlying, parseSymbol, perpOf } from '../../schemas/symbol.js'
import { isZeroAddress, parseAddress } from '../../schemas/wallet.js'
import { unknownFieldText } from '../unknown-field.js'

/** Why a body is refused: the result's row gives code and HTTP status, the message is for people. */
export interface BodyRefusal {
  readonly result: Result
  readonly message: string
}

const noWallet = new Uint8Array(20)
const noInstrument = perpOf('')
const printable = /^[\x20-\x7e]*$/

/**
 * Reads the fields of one JSON object. The first fault is kept in `refusal` and reading goes on with a harmless
 * value, so that a route reads all its fields first and looks once. The names that it was asked for are the known ones:
 * a route asks for all that it knows, whatever the body holds.
 */
export class BodyReader {
  refusal: BodyRefusal | null = null
  readonly #fields: Readonly<Record<string, unknown>>
  readonly #asked = new Set<string>()
  readonly #parts: BodyReader[] = []

  constructor(body: object) {
    this.#fields = body as Readonly<Record<string, unknown>>
  }

  has(name: string): boolean {
    this.#asked.add(name)
    return this.#fields[name] !== undefined && this.#fields[name] !== null
  }

  value(name: string): unknown {
    if (!this.has(name)) this.refuse(Result.MissingField, `Missing field: ${name}`)
    return this.#fields[name]
  }

  /** The 20 bytes of an address other than zero. */
  wallet(name: string): Uint8Array {
    const text = this.#text(name)
    if (text === null) return noWallet
    const bytes = parseAddress(text)
    if (bytes !== null && !isZeroAddress(bytes, 0)) return bytes
    this.refuse(Result.InvalidWallet, `Invalid wallet: ${text}`)
    return noWallet
  }

  /** An amount in micros: decimal text above 0. */
  amountMicros(name: string): number {
    const text = this.#text(name)
    if (text === null) return 0
    return this.#scaled(name, parseAmountMicros(text))
  }

  /** A price in micros: decimal text, or a JSON number that is written without an exponent. */
  priceMicros(name: string): number {
    const value = this.value(name)
    if (value === undefined || value === null) return 0
    if (typeof value !== 'string' && typeof value !== 'number') {
      this.refuse(Result.InvalidParameter, `Invalid ${name}: must be a decimal string`)
      return 0
    }
    return this.#scaled(name, parseStrikeMicros(String(value)))
  }

  /** A finite number: JSON number, or its text. */
  number(name: string): number {
    const value = this.value(name)
    if (value === undefined || value === null) return 0
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number)) return number
    this.refuse(Result.InvalidParameter, `Invalid ${name}: must be a number`)
    return 0
  }

  /** A whole number within bounds, or `absent` when the field is not there. */
  integer<Absent>(name: string, min: number, max: number, absent: Absent): number | Absent {
    if (!this.has(name)) return absent
    const value = this.#fields[name]
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
      return value + 0 // -0 is no other number than 0
    }
    const detail = `must be a whole number from ${min} to ${max}`
    this.refuse(Result.InvalidParameter, `Invalid ${name}: ${detail}`)
    return absent
  }

  underlying(name: string): string {
    const text = this.#text(name)
    if (text === null || isUnderlying(text)) return text ?? ''
    this.refuse(Result.InvalidField, `Invalid ${name}: must be 1 to 16 of A-Z 0-9 . _`)
    return ''
  }

  /** The symbol of an option or a perp. */
  symbol(name: string): InstrumentSymbol {
    const text = this.#text(name)
    if (text === null) return noInstrument
    const symbol = parseSymbol(text)
    if (typeof symbol !== 'string') return symbol
    this.refuse(Result.InvalidField, `Invalid ${name}: ${symbol}`)
    return noInstrument
  }

  /** One of `names`, as its index. */
  choice(name: string, names: readonly string[]): number {
    const text = this.#text(name)
    if (text === null) return 0
    const index = names.indexOf(text)
    if (index >= 0) return index
    this.refuse(Result.InvalidField, `Invalid ${name}: must be one of ${names.join(', ')}`)
    return 0
  }

  /** Printable ASCII of at most `lengthMax`; '' when the field is not there. */
  optionalText(name: string, lengthMax: number): string {
    if (!this.has(name)) return ''
    const text = this.#text(name) ?? ''
    if (text !== '' && text.length <= lengthMax && printable.test(text)) return text
    this.refuse(Result.InvalidField, `Invalid ${name}: 1 to ${lengthMax} printable characters`)
    return ''
  }

  /** Reader of a nested object; one without fields when it is none. */
  object(name: string): BodyReader {
    const value = this.value(name)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return this.#part(value)
    }
    this.refuse(Result.InvalidParameter, `Invalid ${name}: must be an object`)
    return new BodyReader({})
  }

  /** Readers of the objects in a list of `countMin` to `countMax`. */
  items(name: string, countMin: number, countMax: number): readonly BodyReader[] {
    const value = this.value(name)
    if (value === undefined || value === null) return []
    if (!Array.isArray(value) || value.length < countMin || value.length > countMax) {
      const detail = `must be a list of ${countMin} to ${countMax} objects`
      this.refuse(Result.InvalidParameter, `Invalid ${name}: ${detail}`)
      return []
    }
    if (value.some((item) => typeof item !== 'object' || item === null)) {
      this.refuse(Result.InvalidParameter, `Invalid ${name}: must be a list of objects`)
      return []
    }
    return value.map((item: object) => this.#part(item))
  }

  /** Keeps the first fault. */
  refuse(result: Result, message: string): void {
    this.refusal ??= { result, message }
  }

  /** Keeps the first fault of a reader of a part. */
  refuseAs(part: BodyReader): void {
    this.refusal ??= part.refusal
  }

  /**
   * Refuses the body when it, or an object in it, has a field that nobody asked for. This goes before every other fault: a
   * misspelt name is why another one is missing.
   */
  refuseUnknown(): void {
    const unknown = this.#unknownField()
    if (unknown !== null) this.refusal = { result: Result.InvalidField, message: unknown }
  }

  #unknownField(): string | null {
    for (const name of Object.keys(this.#fields)) {
      if (!this.#asked.has(name)) return unknownFieldText(name, this.#asked)
    }
    for (const part of this.#parts) {
      const unknown = part.#unknownField()
      if (unknown !== null) return unknown
    }
    return null
  }

  #part(fields: object): BodyReader {
    const part = new BodyReader(fields)
    this.#parts.push(part)
    return part
  }

  #text(name: string): string | null {
    const value = this.value(name)
    if (typeof value === 'string') return value
    if (this.has(name)) this.refuse(Result.InvalidParameter, `Invalid ${name}: must be a string`)
    return null
  }

  #scaled(name: string, scaled: number): number {
    if (scaled > 0) return scaled
    this.refuse(Result.InvalidField, `Invalid ${name}: ${decimalFaultText(name, scaled)}`)
    return 0
  }
}
