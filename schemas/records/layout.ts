import { assert } from '../assert.js'

// Vocabulary for the layouts of records. A record is a list of fields, in order and without gaps; unused space is a
// field named `unused`. From these lists scripts/generate-records.ts generates the cursors that read and write records
// in place, the schema of the market data, and the output of tools.

/** Numbers of four or eight bytes. An `i32` may name the enumeration of its values. */
type NumberType = 'i32' | 'u32' | 'f64'

/**
 * One field. The last word of its name is its unit (micros, lots, millis, bytes, bps, nanos); otherwise it is a plain
 * number.
 */
export type Field =
  | {
      readonly kind: NumberType
      readonly name: string
      readonly doc: string
      readonly holds: string | null
    }
  /** Bytes that have meaning only together: an address, a digest, a text. */
  | {
      readonly kind: 'bytes'
      readonly name: string
      readonly doc: string
      readonly bytes: number
      /** ASCII text up to a NUL, or of the length in the field `<name>Bytes`; null for no text. */
      readonly text: 'padded' | 'counted' | null
    }
  /** `count` doubles. */
  | { readonly kind: 'f64s'; readonly name: string; readonly doc: string; readonly count: number }
  /** Another record, without a header. */
  | { readonly kind: 'block'; readonly name: string; readonly doc: string; readonly of: Layout }
  /** At the end: rows of a record without a header, or doubles; an earlier field has their number. */
  | {
      readonly kind: 'rows'
      readonly name: string
      readonly doc: string
      readonly of: Layout | 'f64' | 'bytes'
    }
  | { readonly kind: 'unused'; readonly bytes: number }
  /** Fields that replace an earlier one in some uses of the record. */
  | {
      readonly kind: 'instead'
      readonly name: string
      readonly skip: number
      readonly doc: string
      readonly fields: readonly Field[]
    }

/** A record, or a part of records. */
export interface Layout {
  /** Name of its class. */
  readonly name: string
  readonly doc: string
  /** Record that this one extends, whose cursor is the base class; null for none. */
  readonly begin: Layout | null
  /** Bytes that `claim` reserves; 0 for a part of other records, which is never claimed. */
  readonly claimedBytes: number
  /** Fields after those of the extended record. */
  readonly fields: readonly Field[]
  /** Numbers of the record types with this layout, by name. */
  readonly types: Readonly<Record<string, number>>
  /** True if its body is also a FlatBuffers struct. */
  readonly isMarketData: boolean
}

/** Records of one ring or log: they share a header and an enumeration of types. */
export interface LayoutGroup {
  /** File of the generated cursors. */
  readonly file: string
  /** Name of the enumeration; null for parts without a type of their own. */
  readonly typeName: string | null
  readonly typeDoc: string
  readonly layouts: readonly Layout[]
}

const number =
  (kind: NumberType) =>
  (name: string, doc = ''): Field => ({ kind, name, doc, holds: null })
export const i32 = number('i32')
export const u32 = number('u32')
export const f64 = number('f64')
export const one = (name: string, holds: string, doc = ''): Field => {
  return { kind: 'i32', name, doc, holds }
}
export const bytes = (
  name: string,
  length: number,
  doc = '',
  text: 'padded' | 'counted' | null = null,
): Field => ({ kind: 'bytes', name, doc, bytes: length, text })
/** ASCII text, NUL-padded. */
export const padded = (name: string, bytesMax: number, doc = ''): Field =>
  bytes(name, bytesMax, doc, 'padded')
export const address = (name: string, doc = ''): Field => bytes(name, 20, doc)
export const f64s = (name: string, count: number, doc = ''): Field => {
  return { kind: 'f64s', name, doc, count }
}
export const block = (name: string, of: Layout, doc = ''): Field => {
  return { kind: 'block', name, doc, of }
}
export const rows = (name: string, of: Layout | 'f64' | 'bytes', doc = ''): Field => {
  return { kind: 'rows', name, doc, of }
}
/** A position without a field: the end of the range of a checksum. */
export const mark = (name: string, doc = ''): Field => bytes(name, 0, doc)
export const unused = (length: number): Field => ({ kind: 'unused', bytes: length })
/** Length of a text, then space for it. */
export const text = (name: string, bytesMax: number, doc = ''): readonly Field[] => [
  i32(`${name}Bytes`),
  bytes(name, bytesMax, doc, 'counted'),
]
export const instead = (name: string, doc: string, fields: readonly Field[], skip = 0): Field => {
  return { kind: 'instead', name, doc, fields, skip }
}

type FieldList = readonly (Field | readonly Field[])[]

/** A part of records, without header and type. */
export function part(name: string, doc: string, fields: FieldList): Layout {
  return header(name, doc, null, fields, 0)
}

/**
 * Returns the common header of records of one kind.
 * @param claimedBytes number of its bytes that a claim writes.
 */
export function header(
  name: string,
  doc: string,
  begin: Layout | null,
  fields: FieldList,
  claimedBytes = 8,
): Layout {
  return { name, doc, begin, claimedBytes, fields: fields.flat(), types: {}, isMarketData: false }
}

/** Returns a function that describes records which extend `header`, directly or through another record. */
export function recordsWith(suffix: string, header: Layout) {
  return (
    types: Readonly<Record<string, number>>,
    doc: string,
    fields: FieldList,
    {
      name = Object.keys(types)[0],
      begin = header,
      isMarketData = false,
    }: { name?: string; begin?: Layout; isMarketData?: boolean } = {},
  ): Layout => ({
    name: `${name}${suffix}`,
    doc,
    begin,
    claimedBytes: header.claimedBytes,
    fields: fields.flat(),
    types,
    isMarketData,
  })
}

/** A field with its offset. */
export interface PlacedField {
  readonly field: Exclude<Field, { kind: 'unused' } | { kind: 'instead' }>
  readonly at: number
  /** Uses of the record in which it replaces others. */
  readonly insteadOf: string | null
}

export interface PlacedLayout {
  /** Fields of the extended record, then its own. */
  readonly placed: readonly PlacedField[]
  /** Length without its rows. */
  readonly bytes: number
  readonly hasRows: boolean
  /** Offsets of unused words. */
  readonly unusedAt: readonly number[]
}

/**
 * Computes the offsets of all fields.
 * @throws if a number would not be aligned to its size, or a record's length would not be a multiple of eight.
 */
export function placesOf(layout: Layout): PlacedLayout {
  const placed: PlacedField[] = []
  const fields = fieldsOf(layout)
  const end = place(layout, fields, 0, null, placed)
  const hasRows = placed.some(({ field }) => field.kind === 'rows')
  const hasType = Object.keys(layout.types).length > 0
  assert(!hasType || hasRows || (end & 7) === 0, `${layout.name}: its length is no multiple of 8`)
  return { placed, bytes: end, hasRows, unusedAt: unusedWords(fields) }
}

function fieldsOf({ begin, fields }: Layout): readonly Field[] {
  return begin === null ? fields : [...fieldsOf(begin), ...fields]
}

function unusedWords(fields: readonly Field[]): readonly number[] {
  const words: number[] = []
  let at = 0
  for (const field of fields) {
    const end = at + bytesOf(field)
    if (field.kind === 'unused') for (let word = at; word < end; word += 4) words.push(word)
    at = end
  }
  return words
}

/** Places fields. @returns the end of the last one. */
function place(
  layout: Layout,
  fields: readonly Field[],
  from: number,
  insteadOf: string | null,
  placed: PlacedField[],
): number {
  let at = from
  for (const field of fields) {
    if (field.kind === 'instead') {
      const other = placed.find((one) => one.field.name === field.name)
      assert(other !== undefined, `${layout.name}: no ${field.name} to replace`)
      place(layout, field.fields, other.at + field.skip, field.doc, placed)
      continue
    }
    if (field.kind !== 'unused') {
      const isAligned = (at & (alignmentOf(field) - 1)) === 0
      assert(
        isAligned,
        `${layout.name}.${field.name} at ${at} is not aligned: put something before it`,
      )
      placed.push({ field, at, insteadOf })
    }
    at += bytesOf(field)
  }
  return at
}

function alignmentOf(field: Field): number {
  switch (field.kind) {
    case 'f64':
    case 'f64s':
      return 8
    case 'block':
      return Math.max(1, ...field.of.fields.map(alignmentOf))
    case 'rows':
      if (field.of === 'f64') return 8
      return field.of === 'bytes' ? 1 : Math.max(1, ...field.of.fields.map(alignmentOf))
    default:
      return 4
  }
}

/** Returns the length of a field; 0 for rows. */
export function bytesOf(field: Field): number {
  switch (field.kind) {
    case 'i32':
    case 'u32':
      return 4
    case 'f64':
      return 8
    case 'f64s':
      return 8 * field.count
    case 'bytes':
    case 'unused':
      return field.bytes
    case 'block':
      return placesOf(field.of).bytes
    default:
      return 0
  }
}
