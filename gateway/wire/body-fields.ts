import { Result, resultText } from '../../schemas/results.js'
import { Fault } from './fault.js'
import { bareName, type FieldKind, isAbsent, type JsonShape, kindChecks } from './json-shape.js'
import { invalidParameter, type JsonObject } from './request-fields.js'
import { printable } from './shown-text.js'
import { plainName, unknownFieldText } from './unknown-field.js'

/** What every signed body has beside its own fields. Whoever names a `signer`: it is recovered all the same. */
export const signedFields = { nonce: 'any', signature: 'text', 'signer?': 'any' } as const

/**
 * The fields of one request: what must be there, what each holds, and so which names are known. Every check of a
 * body's fields goes by this one list.
 */
export class BodyFields {
  readonly #required: readonly string[]
  readonly #kinds: readonly (readonly [string, FieldKind])[]
  readonly #names: ReadonlySet<string>
  readonly #plainNames: ReadonlySet<string>

  /** @param fields in the order that faults are looked for; a name that ends in `?` may be absent or null. */
  constructor(fields: JsonShape) {
    const kinds = Object.entries(fields).map(([name, kind]) => [bareName(name), kind] as const)
    this.#required = Object.keys(fields).filter((name) => !name.endsWith('?'))
    this.#kinds = kinds.filter(([, kind]) => kind !== 'any')
    this.#names = new Set(kinds.map(([name]) => name))
    this.#plainNames = new Set(kinds.map(([name]) => plainName(name)))
  }

  /**
   * The first fault of a body: a name that is a known one but for case and underscores, then what is missing, then wrong
   * types, then any other unknown name.
   * @param refusesUnknown whether the last is one: `compat.unknownFields`.
   * @param alsoRequired a field that this body must have as well; null: none.
   */
  fault(
    body: JsonObject,
    refusesUnknown: boolean,
    alsoRequired: string | null = null,
  ): Fault | null {
    let unknown: string | null = null
    for (const name in body) {
      if (this.#names.has(name)) continue
      // Whoever wrote `reduceOnly` meant it: what he asked for is never left out without a word.
      if (this.#plainNames.has(plainName(name))) return this.#unknownField(name)
      unknown ??= name
    }
    const misshapen = this.#missing(body, alsoRequired, unknown) ?? this.#mistyped(body)
    if (misshapen !== null) return misshapen
    return unknown !== null && refusesUnknown ? this.#unknownField(unknown) : null
  }

  /** @param unknown name of a field that may be the misspelled one. */
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
