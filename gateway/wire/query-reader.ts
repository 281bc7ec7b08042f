import { Result } from '../../schemas/results.js'
import { formatAddress, isZeroAddress, parseAddress } from '../../schemas/wallet.js'
import { quoted } from './shown-text.js'
import { plainName, unknownFieldText } from './unknown-field.js'

/** Reason for rejecting a query. The result's row gives code and HTTP status; the message is for people. */
export interface Refusal {
  readonly result: Result
  readonly message: string
}

const digitsOnly = /^\d{1,16}$/

/**
 * Reads the parameters of one query. Keeps the first fault and continues with harmless values, so that a route reads
 * all its parameters first and checks `refusal` once. The names that a route reads are the known ones.
 */
export class QueryReader {
  #fault: Refusal | null = null
  readonly #values = new Map<string, string>()
  // Always known, because the gateway reads it to count the request for this wallet.
  readonly #known = new Set(['wallet'])
  readonly #refusesUnknown: boolean

  /** JSON text of the request's body; '' if the route has none. */
  readonly body: string

  /**
   * @param text Query text as received, without the question mark.
   * @param refusesUnknown `compat.unknownFields`: rejects parameters that the route does not read.
   */
  constructor(text: string, refusesUnknown = false, body = '') {
    this.body = body
    this.#refusesUnknown = refusesUnknown
    if (text === '') return
    for (const [name, value] of new URLSearchParams(text)) {
      if (this.#values.has(name)) this.refuse(Result.InvalidParameter, `${name} is given twice`)
      this.#values.set(name, value)
    }
  }

  /** True if a parameter read so far is invalid. */
  get isWrong(): boolean {
    return this.#fault !== null
  }

  /** Returns why the query is rejected, once the route has read all known parameters; null if it is valid. */
  get refusal(): Refusal | null {
    return (
      this.#unknown(true) ?? this.#fault ?? (this.#refusesUnknown ? this.#unknown(false) : null)
    )
  }

  has(name: string): boolean {
    this.#known.add(name)
    return this.#values.has(name)
  }

  /** Returns the value of the parameter, or of the one alias given; null if there is none. */
  text(name: string, ...aliases: string[]): string | null {
    const given = [name, ...aliases].filter((candidate) => this.has(candidate))
    if (given.length > 1) {
      this.refuse(
        Result.InvalidParameter,
        `${given.join(' and ')} are the same parameter; pass one of them`,
      )
    }
    return given.length === 0 ? null : this.#values.get(given[0]!)!
  }

  /** Returns a value that several names may give, if they agree; null if none does. */
  agreedText(...names: string[]): string | null {
    const given = names.filter((name) => this.has(name))
    const values = new Set(given.map((name) => this.#values.get(name)!))
    if (values.size > 1) this.refuse(Result.InvalidParameter, `${given.join(' and ')} differ`)
    return [...values][0] ?? null
  }

  requiredText(name: string, ...aliases: string[]): string {
    const value = this.text(name, ...aliases)
    if (value === null) this.refuse(Result.MissingField, `${name} is required`)
    return value ?? ''
  }

  /** Returns the required parameter `wallet`, in lower case. */
  wallet(): string {
    return this.optionalWallet('wallet') ?? this.requiredText('wallet')
  }

  /** Returns an address in lower case, or null if the parameter is absent. */
  optionalWallet(name: string): string | null {
    const text = this.text(name)
    if (text === null) return null
    const bytes = parseAddress(text)
    if (bytes !== null && !isZeroAddress(bytes, 0)) return formatAddress(bytes, 0)
    this.refuse(
      Result.InvalidWallet,
      `${name} must be 0x followed by 40 hexadecimal digits, not ${quoted(text)}`,
    )
    return ''
  }

  /** Returns an integer within its limits, or `absent` if none of the names is given. */
  integer<T>(names: readonly string[], min: number, max: number, absent: T): number | T {
    const text = this.text(names[0]!, ...names.slice(1))
    if (text === null) return absent
    const value = digitsOnly.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    const allowed = `must be an integer from ${min} to ${max}`
    this.refuse(Result.InvalidParameter, `${names[0]} ${allowed}, not ${quoted(text)}`)
    return absent
  }

  /** Reads `true`, `false`, `1` or `0`. */
  boolean(absent: boolean, ...names: string[]): boolean {
    const text = this.text(names[0]!, ...names.slice(1))
    if (text === null) return absent
    if (text === 'true' || text === '1') return true
    if (text === 'false' || text === '0') return false
    const allowed = 'must be true, false, 1 or 0'
    this.refuse(Result.InvalidParameter, `${names[0]} ${allowed}, not ${quoted(text)}`)
    return absent
  }

  /** Notes a fault; only the first one counts. */
  refuse(result: Result, message: string): void {
    this.#fault ??= { result, message }
  }

  /**
   * @param isNear Only reports known names in a different spelling, which always fail.
   */
  #unknown(isNear: boolean): Refusal | null {
    const plainNames = new Set([...this.#known].map(plainName))
    for (const name of this.#values.keys()) {
      if (this.#known.has(name)) continue
      if (isNear && !plainNames.has(plainName(name))) continue
      return { result: Result.InvalidField, message: unknownFieldText(name, this.#known) }
    }
    return null
  }
}
