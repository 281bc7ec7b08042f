import { Result, resultText } from '../../schemas/results.js'
import { Fault } from './fault.js'
import { bareName, type FieldKind, isAbsent, type JsonShape, kindChecks } from './json-shape.js'
import { invalidParameter, type JsonObject } from './request-fields.js'
import { printable } from './shown-text.js'
import { plainName, unknownFieldText } from './unknown-field.js'

/** Common fields of every signed body. `signer` is ignored: the signer is always recovered. */
export const signedFields = { nonce: 'any', signature: 'text', 'signer?': 'any' } as const

/**
 * Fields of one request: which are required, their kinds, and therefore the known names. Every check of a body's fields
 * uses this list.
 */
export class BodyFields {
  readonly #required: readonly string[]
  readonly #kinds: readonly (readonly [string, FieldKind])[]
  readonly #names: ReadonlySet<string>
  readonly #plainNames: ReadonlySet<string>

  /**
   * @param fields In the order of the checks. A name that ends in `?` may be absent or null.
   */
  constructor(fields: JsonShape) {
    const kinds = Object.entries(fields).map(([name, kind]) => [bareName(name), kind] as const)
    this.#required = Object.keys(fields).filter((name) => !name.endsWith('?'))
    this.#kinds = kinds.filter(([, kind]) => kind !== 'any')
    this.#names = new Set(kinds.map(([name]) => name))
    this.#plainNames = new Set(kinds.map(([name]) => plainName(name)))
  }

  /**
   * Returns the first fault of a body: a known name in different spelling, then a missing field, then a wrong type,
   * then any other unknown name.
   * @param refusesUnknown Reports unknown names too: `compat.unknownFields`.
   * @param alsoRequired Additional required field of this body, or null.
   */
  fault(
    body: JsonObject,
    refusesUnknown: boolean,
    alsoRequired: string | null = null,
  ): Fault | null {
    let unknown: string | null = null
    for (const name in body) {
      if (this.#names.has(name)) continue
      // A client that sends `reduceOnly` means it, so the field is never ignored silently.
      if (this.#plainNames.has(plainName(name))) return this.#unknownField(name)
      unknown ??= name
    }
    const misshapen = this.#missing(body, alsoRequired, unknown) ?? this.#mistyped(body)
    if (misshapen !== null) return misshapen
    return unknown !== null && refusesUnknown ? this.#unknownField(unknown) : null
  }

  /**
   * @param unknown Unknown name that may be the misspelled field.
   */
  #missing(body: JsonObject, alsoRequired: string | null, unknown: string | null): Fault | null {
    for (const name of this.#required) {
      if (isAbsent(body[name])) return missingField(name, unknown)
    }
    if (alsoRequired === null || !isAbsent(body[alsoRequired])) return null
    return missingField(alsoRequired, unknown)
  }

  #mistyped(body: JsonObject): Fault | null {
    for (const [name, kind] of this.#kinds) {
      const value = body[name]
      const { isOfKind, wrong } = kindChecks[kind]
      if (!isAbsent(value) && !isOfKind(value)) return invalidParameter(name, wrong)
    }
    return null
  }

  #unknownField(name: string): Fault {
    return new Fault(Result.InvalidField, {}, unknownFieldText(name, this.#names))
  }
}

function missingField(name: string, unknown: string | null): Fault {
  if (unknown === null) return new Fault(Result.MissingField, { name })
  const text = `${resultText(Result.MissingField, { name })} (unknown field: ${printable(unknown)})`
  return new Fault(Result.MissingField, { name }, text)
}
