import * as domain from '../domain.js'
import { CommandType } from '../generated/commands.js'
import * as recordValues from '../record-values.js'
import type { RecordViews } from '../record-views.js'
import { type Layout, type LayoutGroup, type PlacedField, placesOf } from '../records/layout.js'
import { type Result, resultRows } from '../results.js'

// Decodes records to plain objects, for tests and tools.

/** A record with its fields by name: numbers, hex digits of bytes, objects for blocks, lists for rows. */
export type DecodedRecord = { readonly [field: string]: unknown }

export interface DecodeOptions {
  /** True to include fields that share the place of others. */
  readonly insteads?: boolean
  /** True to show texts, addresses and enumerations in readable form. */
  readonly words?: boolean
}

/** Enumerations in fields of records, by name. */
const enumerations: Readonly<Record<string, unknown>> = { ...domain, ...recordValues, CommandType }
const addressBytes = 20

/**
 * Decodes the record at `at`, whose type belongs to the group. Of several layouts of one type, uses the longest that
 * fits.
 * @throws Error if none of the group's records has this type.
 */
export function decodeRecord(
  group: LayoutGroup,
  views: RecordViews,
  at: number,
  options: DecodeOptions = {},
): DecodedRecord {
  const bytes = views.i32[at >> 2]!
  const type = views.i32[(at + 4) >> 2]!
  const fitting = group.layouts
    .filter(({ types }) => Object.values(types).includes(type))
    .filter((layout) => placesOf(layout).bytes <= bytes)
    .sort((a, b) => placesOf(b).bytes - placesOf(a).bytes)
  const [layout] = fitting
  if (layout === undefined)
    throw new Error(`no ${group.file} record of type ${type}, ${bytes} long`)
  const [name] = Object.entries(layout.types).find(([, number]) => number === type)!
  return { type: name, ...fieldsOf(layout, { views, options, end: at + bytes }, at) }
}

interface Shown {
  readonly views: RecordViews
  /** End of the record, including its rows. */
  readonly end: number
  readonly options: DecodeOptions
}

function fieldsOf(layout: Layout, shown: Shown, at: number): DecodedRecord {
  const { insteads = false } = shown.options
  const { placed } = placesOf(layout)
  const fields = placed.filter(({ insteadOf }) => insteads || insteadOf === null)
  return Object.fromEntries(fields.map((one) => [one.field.name, shownOf(one, placed, shown, at)]))
}

function shownOf(
  { field, at: offset }: PlacedField,
  placed: readonly PlacedField[],
  shown: Shown,
  record: number,
): unknown {
  const { views, end } = shown
  const at = record + offset
  switch (field.kind) {
    case 'i32':
      return shownNumber(field.holds, views.i32[at >> 2]!, shown)
    case 'u32':
      return views.u32[at >> 2]
    case 'f64':
      return views.f64[at >> 3]
    case 'f64s':
      return [...views.f64.subarray(at >> 3, (at >> 3) + field.count)]
    case 'bytes': {
      const counted = placed.find((one) => one.field.name === `${field.name}Bytes`)
      const length = counted === undefined ? field.bytes : views.i32[(record + counted.at) >> 2]!
      if (shown.options.words)
        return bytesInWords(field, views.u8.subarray(at, at + field.bytes), length)
      return hexOf(views, at, at + field.bytes)
    }
    case 'block':
      return fieldsOf(field.of, shown, at)
    case 'rows': {
      if (field.of === 'bytes') return hexOf(views, at, end)
      if (field.of === 'f64') return [...views.f64.subarray(at >> 3, end >> 3)]
      const { of } = field
      const { bytes } = placesOf(of)
      const count = Math.floor((end - at) / bytes)
      return Array.from({ length: count }, (_, i) => fieldsOf(of, shown, at + i * bytes))
    }
  }
}

/** Returns the name of an enumeration value; the value itself if names are not requested or it has none. */
function shownNumber(holds: string | null, value: number, { options }: Shown): unknown {
  return options.words ? enumerationName(holds, value) : value
}

/** Returns the name of an enumeration value of the schemas; the value itself if it has none. */
export function enumerationName(holds: string | null, value: number): string | number {
  if (holds === null) return value
  if (holds === 'Result') return resultRows[value as Result]?.code ?? value
  const enumeration = enumerations[holds]
  if (typeof enumeration !== 'object' || enumeration === null) return value
  return Object.entries(enumeration).find(([, one]) => one === value)?.[0] ?? value
}

function bytesInWords(
  { bytes, text }: { readonly bytes: number; readonly text: 'padded' | 'counted' | null },
  all: Uint8Array,
  length: number,
): string {
  if (text === 'counted') return Buffer.from(all.subarray(0, length)).toString('latin1')
  if (text === 'padded') return Buffer.from(all).toString('latin1').replace(/\0.*$/s, '')
  const hex = Buffer.from(all).toString('hex')
  return bytes === addressBytes || bytes === 32 ? `0x${hex}` : hex
}

function hexOf({ u8 }: RecordViews, from: number, to: number): string {
  return Buffer.from(u8.subarray(from, to)).toString('hex')
}
