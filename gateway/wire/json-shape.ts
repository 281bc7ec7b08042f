import { Result } from '../../schemas/results.js'
import { Fault } from './fault.js'
import { invalidField, invalidParameter, isJsonObject, type JsonObject } from './request-fields.js'
import { unknownFieldText } from './unknown-field.js'

/** Kind of a field; `any` is checked elsewhere. */
export type FieldKind = 'text' | 'boolean' | 'integer' | 'object' | 'list' | 'any'

/** Fields of an object, with their kinds. A name that ends in `?` may be absent or null. */
export type JsonShape = Readonly<Record<string, FieldKind>>

/** Check of each kind, and the error of other values. */
export const kindChecks: Readonly<
  Record<FieldKind, { readonly wrong: string; readonly isOfKind: (value: unknown) => boolean }>
> = {
  text: { wrong: 'must be a string', isOfKind: (value) => typeof value === 'string' },
  boolean: { wrong: 'must be true or false', isOfKind: (value) => typeof value === 'boolean' },
  integer: { wrong: 'must be an integer', isOfKind: Number.isSafeInteger },
  object: { wrong: 'must be an object', isOfKind: isJsonObject },
  list: { wrong: 'must be a list', isOfKind: Array.isArray },
  any: { wrong: '', isOfKind: () => true },
}

/**
 * First fault of each step of checking a nested body: a missing field precedes a wrong type, which precedes a bad
 * value, at any depth.
 */
export class ShapeFaults {
  #missing: Fault | null = null
  #type: Fault | null = null
  #value: Fault | null = null

  get first(): Fault | null {
    return this.#missing ?? this.#type ?? this.#value
  }

  /** True if a field is missing or of a wrong type. */
  get isMisshapen(): boolean {
    return this.#missing !== null || this.#type !== null
  }

  /** Notes a bad value, unless null. */
  note(fault: Fault | null): void {
    this.#value ??= fault
  }

  /** Notes a wrong type, unless null. */
  noteType(fault: Fault | null): void {
    this.#type ??= fault
  }

  missing(name: string): void {
    this.#missing ??= new Fault(Result.MissingField, { name })
  }

  type(name: string, detail: string): void {
    this.#type ??= invalidParameter(name, detail)
  }

  value(name: string, detail: string): void {
    this.#value ??= invalidField(name, detail)
  }

  /**
   * Checks the fields of an object. Negative integers and unknown fields count as bad values.
   * @param path Path of the object in the body; '' for the body itself.
   */
  check(fields: JsonObject, path: string, shape: JsonShape): void {
    const known = new Set<string>()
    for (const [spec, kind] of Object.entries(shape)) {
      const name = bareName(spec)
      const value = fields[name]
      known.add(name)
      if (isAbsent(value)) {
        if (name === spec) this.missing(path + name)
      } else if (!kindChecks[kind].isOfKind(value)) this.type(path + name, kindChecks[kind].wrong)
      else if (kind === 'integer' && ((value as number) < 0 || Object.is(value, -0))) {
        this.value(path + name, 'must not be below 0')
      }
    }
    for (const name of Object.keys(fields)) {
      if (known.has(name)) continue
      const names = [...known].map((other) => path + other)
      this.note(new Fault(Result.InvalidField, {}, unknownFieldText(path + name, names)))
    }
  }
}

/** Returns the object in a field, or null. */
export function objectIn(fields: JsonObject, name: string): JsonObject | null {
  const value = fields[name]
  return isJsonObject(value) ? value : null
}

/** Removes the `?` that marks an optional field. */
export function bareName(spec: string): string {
  return spec.endsWith('?') ? spec.slice(0, -1) : spec
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}
