import type { RecordViews } from '../../schemas/record-views.js'
import {
  type Layout,
  type LayoutGroup,
  type PlacedField,
  placesOf,
} from '../../schemas/records/layout.js'

// Records as plain objects, for tests and tools.

/** A record with its fields by name: numbers, hex digits of bytes, objects of blocks, lists of rows. */
export type DecodedRecord = { readonly [field: string]: unknown }

/**
 * The record at `at`, by its type one of the group's; of several layouts of one type, the longest that it has room for.
 * @param insteads whether fields that stand in the place of others are shown, too.
 * @throws Error when none of the group's records is of this type.
 */
export function decodeRecord(
  group: LayoutGroup,
  views: RecordViews,
  at: number,
  insteads = false,
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
  return { type: name, ...fieldsOf(layout, views, at, at + bytes, insteads) }
}

/** Fields of one record or part of a record whose rows end at `end`. */
function fieldsOf(
  layout: Layout,
  views: RecordViews,
  at: number,
  end: number,
  insteads: boolean,
): DecodedRecord {
  const shown = placesOf(layout).placed.filter(({ insteadOf }) => insteads || insteadOf === null)
  return Object.fromEntries(
    shown.map((one) => [one.field.name, shownOf(one, views, at, end, insteads)]),
  )
}

function shownOf(
  { field, at: offset }: PlacedField,
  views: RecordViews,
  record: number,
  end: number,
  insteads: boolean,
): unknown {
  const at = record + offset
  switch (field.kind) {
    case 'i32':
      return views.i32[at >> 2]
    case 'u32':
      return views.u32[at >> 2]
    case 'f64':
      return views.f64[at >> 3]
    case 'f64s':
      return [...views.f64.subarray(at >> 3, (at >> 3) + field.count)]
    case 'bytes':
      return hexOf(views, at, at + field.bytes)
    case 'block':
      return fieldsOf(field.of, views, at, end, insteads)
    case 'rows': {
      if (field.of === 'bytes') return hexOf(views, at, end)
      if (field.of === 'f64') return [...views.f64.subarray(at >> 3, end >> 3)]
      const { of } = field
      const { bytes } = placesOf(of)
      const count = Math.floor((end - at) / bytes)
      return Array.from({ length: count }, (_, i) =>
        fieldsOf(of, views, at + i * bytes, end, insteads),
      )
    }
  }
}

function hexOf({ u8 }: RecordViews, from: number, to: number): string {
  return Buffer.from(u8.subarray(from, to)).toString('hex')
}
