import { Result } from '../../schemas/results.js'
import { Fault } from './fault.js'
import { invalidField, invalidParameter, isJsonObject, type JsonObject } from './request-fields.js'
import { unknownFieldText } from './unknown-field.js'

/** What a field holds; `any` is looked at elsewhere. */
export type FieldKind = 'text' | 'boolean' | 'integer' | 'object' | 'list' | 'any'

/** The fields of an object and what they hold. A name that ends in `?` may be absent or null. */
export type JsonShape = Readonly<Record<string, FieldKind>>

/** What is said of a value that is none, and whether one is. */
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
 * The first fault of each step that a nested body is checked in: what is missing goes before a wrong type, and that
 * before a bad value, however deep they stand.
 */
export class ShapeFaults {
  #missing: Fault | null = null
  #type: Fault | null = null
  #value: Fault | null = null

  get first(): Fault | null {
    return this.#missing ?? this.#type ?? this.#value
  }

  /** Whether something is missing or of a wrong type. */
  get isMisshapen(): boolean {
    return this.#missing !== null || this.#type !== null
  }

  /** A bad value, or null. */
  note(fault: Fault | null): void {
    this.#value ??= fault
  }

  /** A wrong type, or null. */
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
   * Looks at the fields of an object; integers below 0 and fields that the shape does not name are bad values.
   * @param path of the object in the body, '' of the body itself.
   */
  check(fields: JsonObject, path: string, shape: JsonShape): void {
    const known = new Set<string>()
    for (const [spelled, kind] of Object.entries(shape)) {
      const name = bareName(spelled)
      const value = fields[name]
      known.add(name)
      if (isAbsent(value)) {
        if (name === spelled) this.missing(path + name)
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

/** The object that stands in a field, or null. */
export function objectIn(fields: JsonObject, name: string): JsonObject | null {
  const value = fields[name]
  return isJsonObject(value) ? value : null
}

/** Name of a field without what says that it may be absent. */
export function bareName(spelled: string): string {
  return spelled.endsWith('?') ? spelled.slice(0, -1) : spelled
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}
