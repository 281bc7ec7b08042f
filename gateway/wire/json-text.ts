import { formatNumber } from '../../schemas/number-text.js'

/** JSON text that is inserted unchanged: rows encoded once, numbers already formatted. `Json`: type of its value. */
export class RawJson<Json = unknown> {
  readonly text: string
  /** Carries the type; never present. */
  declare readonly json?: Json

  constructor(text: string) {
    this.text = text
  }
}

/** Input of `encodeJson`. Properties of value `undefined` are omitted. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | RawJson
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined }

/** Input of `encodeRow`: no `RawJson`, and numbers only as members of objects. */
export interface JsonRow {
  readonly [name: string]:
    | string
    | number
    | boolean
    | null
    | undefined
    | JsonRow
    | readonly JsonRow[]
}

/** Encodes JSON without exponents, which `JSON.stringify` would write below 1e-6. */
export function encodeJson(value: JsonValue): string {
  if (typeof value === 'number') return formatNumber(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`
  let text = ''
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${encodeJson(member)}`
  }
  return `{${text}}`
}

// Quotes inside strings are escaped. So an unescaped quote before a colon ends a name, and what follows is the member
// itself.
const exponentMember = /(?<!\\)":(-?\d(?:\.\d+)?e[+-]\d+)/g

/**
 * Encodes like `encodeJson`, with the runtime's own encoder: several times faster, and without the garbage of hundreds
 * of short strings per row.
 */
export function encodeRow(row: JsonRow): string {
  return JSON.stringify(row).replace(
    exponentMember,
    (_, number: string) => `":${formatNumber(Number(number))}`,
  )
}

/** Text of the list being encoded, as UTF-8; as large as the largest list so far. */
let listBytes: Buffer | null = null
const listBytesMin = 1 << 16
const utf8BytesPerCharMax = 3

/**
 * Encodes a list row by row. The text grows outside the heap, so that no row's text outlives the next: pieces that live
 * until the list is complete would fill the old generation.
 */
export function encodeRows<Item, Row extends JsonRow>(
  items: readonly Item[],
  rowOf: (item: Item) => Row,
): RawJson<readonly Row[]> {
  let target = (listBytes ??= Buffer.allocUnsafeSlow(listBytesMin))
  let bytes = target.write('[', 0)
  for (const item of items) {
    const text = `${bytes === 1 ? '' : ','}${encodeRow(rowOf(item))}`
    const bytesMax = bytes + text.length * utf8BytesPerCharMax + 1
    if (bytesMax > target.length) target = listBytes = enlarged(target, bytes, 2 * bytesMax)
    bytes += target.write(text, bytes)
  }
  bytes += target.write(']', bytes)
  return new RawJson(target.toString('utf8', 0, bytes))
}

function enlarged(source: Buffer, bytes: number, length: number): Buffer {
  const target = Buffer.allocUnsafeSlow(length)
  source.copy(target, 0, 0, bytes)
  return target
}
