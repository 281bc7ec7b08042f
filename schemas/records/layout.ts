import { assert } from '../assert.js'

// The words in which records are described. A record is a list of fields, laid out in their order without a gap:
// what is not used is named as `unused`. From these lists come the cursors that read and write records in place, the
// schema of the market data, and what tools show of a record (scripts/generate-records.ts).

/** Numbers of four or eight bytes; `i32` may name the enumeration of domain.ts or its like that it holds. */
type NumberType = 'i32' | 'u32' | 'f64'

/** One field. Its unit is the last word of its name: micros, lots, millis, bytes, bps, nanos; a number else. */
export type Field =
  | {
      readonly kind: NumberType
      readonly name: string
      readonly doc: string
      readonly holds: string | null
    }
  /** So many bytes that only mean something together: an address, a digest, a text. */
  | {
      readonly kind: 'bytes'
      readonly name: string
      readonly doc: string
      readonly bytes: number
      /** ASCII, up to a NUL or as long as the field `<name>Bytes` says; null: no text. */
      readonly text: 'padded' | 'counted' | null
    }
  /** `count` doubles. */
  | { readonly kind: 'f64s'; readonly name: string; readonly doc: string; readonly count: number }
  /** Another record, without a header. */
  | { readonly kind: 'block'; readonly name: string; readonly doc: string; readonly of: Layout }
  /** At the end: as many rows of a record without a header, or as many doubles, as a field before says. */
  | {
      readonly kind: 'rows'
      readonly name: string
      readonly doc: string
      readonly of: Layout | 'f64' | 'bytes'
    }
  | { readonly kind: 'unused'; readonly bytes: number }
  /** Other fields in the place of one that was named before, for some uses of the record. */
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
  /** Record that this one extends; its cursor is the base class. null: none. */
  readonly begin: Layout | null
  /** Bytes that `claim` reserves; 0: a part of other records, which is never claimed. */
  readonly claimedBytes: number
  /** Fields after those of the extended record. */
  readonly fields: readonly Field[]
  /** Numbers of the record types that have this layout, by name. */
  readonly types: Readonly<Record<string, number>>
  /** Whether its body is a FlatBuffers struct, too. */
  readonly isMarketData: boolean
}

/** Records of one ring or log: they share a header and an enumeration of types. */
export interface LayoutGroup {
  /** File of the generated cursors. */
  readonly file: string
  /** Name of the enumeration; null: parts that have no type of their own. */
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
/** ASCII text, NUL padded. */
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
/** A place without a field: an end of what a checksum covers. */
export const mark = (name: string, doc = ''): Field => bytes(name, 0, doc)
export const unused = (length: number): Field => ({ kind: 'unused', bytes: length })
/** Length of a text, then room for it. */
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
 * Common header of the records of one kind.
 * @param claimedBytes how much of it is written where room for a record is claimed.
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

/** Records that extend `header`, directly or through another record. */
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

/** A field at its place. */
export interface PlacedField {
  readonly field: Exclude<Field, { kind: 'unused' } | { kind: 'instead' }>
  readonly at: number
  /** When it is told in the place of others. */
  readonly insteadOf: string | null
}

export interface PlacedLayout {
  /** Fields of the extended record, then its own. */
  readonly placed: readonly PlacedField[]
  /** Up to its rows, if it has any. */
  readonly bytes: number
  readonly hasRows: boolean
  /** Offsets of the words that mean nothing. */
  readonly unusedAt: readonly number[]
}

/**
 * Places of all fields.
 * @throws when a number would not stand at a multiple of its size, or a record would not end at one of eight.
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

/** @returns the end of the last one. */
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
      assert(other !== undefined, `${layout.name}: no ${field.name} to stand in the place of`)
      place(layout, field.fields, other.at + field.skip, field.doc, placed)
      continue
    }
    if (field.kind !== 'unused') {
      const isAligned = (at & (alignmentOf(field) - 1)) === 0
      assert(isAligned, `${layout.name}.${field.name} at ${at}: put something before it`)
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

/** Length of a field; rows begin at the end. */
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
