import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '../schemas/records/commands.js'
import { events } from '../schemas/records/events.js'
import { journal } from '../schemas/records/journal.js'
import {
  type Layout,
  type LayoutGroup,
  type PlacedField,
  type PlacedLayout,
  placesOf,
} from '../schemas/records/layout.js'
import { orders, results } from '../schemas/records/matching.js'
import { headers } from '../schemas/records/parts.js'
import { lookups, notices, reads, replies } from '../schemas/records/reads.js'

// Generates a file of cursors for each group in schemas/records, and the FlatBuffers schema of market data.

export const layoutGroups: readonly LayoutGroup[] = [
  headers,
  commands,
  events,
  orders,
  results,
  journal,
  lookups,
  reads,
  replies,
  notices,
]
/** Names of the parts that records embed as blocks. */
const blocks = new Set(
  layoutGroups
    .flatMap(({ layouts }) => layouts)
    .flatMap(({ fields }) => fields)
    .flatMap((field) => (field.kind === 'block' ? [field.of.name] : [])),
)
/** Files with the enumerations of record fields. */
const enumerationFiles = ['domain', 'record-values', 'results'] as const

/** Returns the path, from the root, of the file that defines each enumeration. */
export function enumerationHomes(root: string): Map<string, string> {
  const homes = new Map<string, string>()
  for (const file of enumerationFiles) {
    const path = `schemas/${file}.ts`
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, name] of text.matchAll(/^export type (\w+)/gm)) homes.set(name!, path)
  }
  return homes
}

/**
 * Returns the code of the cursors.
 * @param root folder of the project.
 * @returns text by path relative to schemas/generated.
 */
export function generateRecords(root: string): Map<string, string> {
  const homes = homesOf(root)
  return new Map(layoutGroups.map((group) => [`${group.file}.ts`, codeOf(group, homes)]))
}

/** Returns the FlatBuffers schema of market data: the bodies of its records as structs. */
export function marketDataSchema(): string {
  const structs = layoutGroups
    .flatMap(({ layouts }) => layouts)
    .filter(({ isMarketData }) => isMarketData)
    .map(structOf)
  return `// Bodies of event-log records; the core writes them in place.\nnamespace strikebook.market_data;\n\n${structs.join('\n')}`
}

function structOf(layout: Layout): string {
  const fields = layout.fields.flatMap((field) => {
    if (field.kind === 'unused') return []
    const name = field.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (field.kind === 'bytes') return [`  ${name}: [ubyte:${field.bytes}];`]
    return [`  ${name}: ${field.kind === 'f64' ? 'double' : 'int32'};`]
  })
  return `struct ${layout.name.replace(/Event$/, '')} {\n${fields.join('\n')}\n}\n`
}

/** Returns the module of each enumeration and cursor, as imported from schemas/generated. */
function homesOf(root: string): ReadonlyMap<string, string> {
  const homes = new Map(
    [...enumerationHomes(root)].map(([name, path]) => [
      name,
      path.replace(/^schemas\/(.*)\.ts$/, '../$1.js'),
    ]),
  )
  for (const { file, typeName, layouts } of layoutGroups) {
    if (typeName !== null) homes.set(typeName, `./${file}.js`)
    for (const { name } of layouts) if (!homes.has(name)) homes.set(name, `./${file}.js`)
  }
  return homes
}

function codeOf(group: LayoutGroup, homes: ReadonlyMap<string, string>): string {
  const own = `./${group.file}.js`
  const layouts = group.layouts.filter(({ name }) => homes.get(name) === own)
  const body = [
    ...(group.typeName === null ? [] : [enumerationOf(group, group.typeName)]),
    ...layouts.map((layout) => classOf(layout, group.typeName)),
  ].join('\n')
  return `${headOf(layouts, homes, own, body)}\n${body}`
}

function headOf(
  layouts: readonly Layout[],
  homes: ReadonlyMap<string, string>,
  own: string,
  body: string,
): string {
  const types = new Map<string, Set<string>>()
  const classes = new Map<string, Set<string>>()
  const take = (into: Map<string, Set<string>>, name: string) => {
    const home = homes.get(name)
    if (home === undefined) throw new Error(`${name} is in none of ${enumerationFiles}`)
    if (home !== own) into.set(home, (into.get(home) ?? new Set()).add(name))
  }
  for (const { begin } of layouts) if (begin !== null) take(classes, begin.name)
  for (const { field } of layouts.flatMap(ownFields)) {
    if (field.kind === 'i32' && field.holds !== null) take(types, field.holds)
    const of = 'of' in field ? field.of : null
    if (of !== null && typeof of === 'object') take(classes, of.name)
  }
  const lines = (from: Map<string, Set<string>>, word: string) =>
    [...from]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([home, names]) => `${word} { ${[...names].sort().join(', ')} } from '${home}'`)
  const used = (names: readonly string[], from: string, word = 'import') => {
    const found = names.filter((name) => body.includes(name))
    return found.length === 0 ? [] : [`${word} { ${found.join(', ')} } from '../${from}.js'`]
  }
  return [
    '// Generated from schemas/records by `npm run generate`; not to be edited.',
    ...lines(types, 'import type'),
    ...lines(classes, 'import'),
    ...used(['readText', 'writeText'], 'record-text'),
    ...used(['RecordCursor'], 'record-views'),
    ...used(['RecordSink'], 'record-views', 'import type'),
    '',
  ].join('\n')
}

function enumerationOf({ layouts, typeDoc }: LayoutGroup, typeName: string): string {
  const rows = new Map<string, { number: number; doc: string }>()
  for (const { types, doc } of layouts) {
    for (const [name, number] of Object.entries(types)) {
      if (!rows.has(name)) rows.set(name, { number, doc })
    }
  }
  const sorted = [...rows].sort(([, a], [, b]) => a.number - b.number)
  const numbers = new Set(sorted.map(([, { number }]) => number))
  if (numbers.size !== sorted.length) throw new Error(`${typeName}: two types with one number`)
  const lines = sorted.map(([name, { number }]) => `  ${name}: ${number},`)
  return `/** ${typeDoc} */\nexport const ${typeName} = {\n${lines.join('\n')}\n} as const\nexport type ${typeName} = (typeof ${typeName})[keyof typeof ${typeName}]\n`
}

/** Returns the fields that a class adds to its base class. */
function ownFields(layout: Layout): readonly PlacedField[] {
  const { begin } = layout
  return placesOf(layout).placed.slice(begin === null ? 0 : placesOf(begin).placed.length)
}

function classOf(layout: Layout, typeName: string | null): string {
  const { begin } = layout
  const own = ownFields(layout)
  const places = placesOf(layout)
  const override = begin === null ? '' : 'override '
  const nested = own.filter(({ field }) => cursorOf(field) !== null)
  return [
    commentOf('', classDoc(layout, places)),
    `export class ${layout.name} extends ${begin?.name ?? 'RecordCursor'} {`,
    `  static ${override}readonly bytes: number = ${places.bytes}`,
    ...nested.map(({ field }) => `  readonly #${field.name} = new ${cursorOf(field)}()`),
    ...claimOf(layout, places, typeName),
    ...clearOf(layout),
    ...blockMembers(layout, places),
    ...own.flatMap((one) => accessorsOf(one)),
    '}',
    '',
  ].join('\n')
}

function classDoc(layout: Layout, { bytes, hasRows }: PlacedLayout): string {
  const length = hasRows ? `${bytes} bytes and its rows.` : `${bytes} bytes.`
  return layout.doc === '' ? length : `${layout.doc} ${length}`
}

/** Returns the code of `claim`, which reserves a record and clears its unused bytes. */
function claimOf(layout: Layout, places: PlacedLayout, typeName: string | null): readonly string[] {
  const names = Object.entries(layout.types)
  if (names.length === 0 || typeName === null) return []
  const [[, only]] = names as [[string, number]]
  const type =
    names.length === 1
      ? ''
      : `, type: ${names.map(([name]) => `typeof ${typeName}.${name}`).join(' | ')}`
  const length = places.hasRows ? ', bytes: number' : ''
  const override = Object.keys(layout.begin?.types ?? {}).length > 0 ? 'override ' : ''
  const claim = `this.claimIn(sink, ${places.hasRows ? 'bytes' : places.bytes}, ${type === '' ? only : 'type'})`
  return [
    '',
    `  ${override}claim(sink: RecordSink${type}${length}): boolean {`,
    ...(places.unusedAt.length === 0
      ? [`    return ${claim}`]
      : [
          `    if (!${claim}) return false`,
          ...places.unusedAt.map((word) => `    this.i32[(this.at + ${word}) >> 2] = 0`),
          '    return true',
        ]),
    '  }',
  ]
}

/** Returns the code that clears the bytes after those that `claim` writes. */
function clearOf({ begin, claimedBytes }: Layout): readonly string[] {
  if (claimedBytes === (begin?.claimedBytes ?? 0)) return []
  return [
    '',
    `  /** Zeros in all fields but the ${claimedBytes} bytes that \`claim\` writes. */`,
    `  ${begin === null ? '' : 'override '}clear(): this {`,
    `    this.u8.fill(0, this.at + ${claimedBytes}, this.at + this.recordBytes)`,
    '    return this',
    '  }',
  ]
}

/** Returns the members of a part that is a block of a record. */
function blockMembers({ name }: Layout, { bytes }: PlacedLayout): readonly string[] {
  if (!blocks.has(name)) return []
  return [
    '',
    '  /** Zeros in all fields. */',
    '  clear(): this {',
    `    this.u8.fill(0, this.at, this.at + ${bytes})`,
    '    return this',
    '  }',
    '',
    '  /** All of it, from another. */',
    `  copy(from: ${name}): void {`,
    '    const to = this.at >> 2',
    '    const first = from.at >> 2',
    `    for (let i = 0; i < ${bytes >> 2}; i++) this.i32[to + i] = from.i32[first + i]!`,
    '  }',
  ]
}

function cursorOf(field: PlacedField['field']): string | null {
  if (field.kind === 'block') return field.of.name
  return field.kind === 'rows' && typeof field.of === 'object' ? field.of.name : null
}

function accessorsOf({ field, at, insteadOf }: PlacedField): readonly string[] {
  const said = [insteadOf === null ? '' : `${insteadOf}:`, field.doc].filter((word) => word !== '')
  const doc = said.length === 0 ? [] : [commentOf('  ', said.join(' '))]
  return ['', ...doc, ...membersOf(field, at)]
}

/** Returns the code of the field's index in a view with elements of 2^shift bytes. */
function indexOf(at: number, shift: number): string {
  return at === 0 ? `this.at >> ${shift}` : `(this.at + ${at}) >> ${shift}`
}

function offsetOf(at: number): string {
  return at === 0 ? 'this.at' : `this.at + ${at}`
}

function membersOf(field: PlacedField['field'], at: number): readonly string[] {
  const { name } = field
  switch (field.kind) {
    case 'i32':
    case 'u32':
    case 'f64':
      return numberMembers(field, at)
    case 'bytes':
      return [...offsetGetter(name, at), ...textMembers(field, at)]
    case 'f64s':
      return doubleMembers(name, at, field.count)
    case 'block':
      return [
        `  get ${name}(): ${field.of.name} {`,
        `    return this.#${name}.over(this.views, ${offsetOf(at)})`,
        '  }',
      ]
    case 'rows':
      return rowMembers(field, at)
  }
}

function numberMembers(
  { kind, name, holds }: Extract<PlacedField['field'], { kind: 'i32' | 'u32' | 'f64' }>,
  at: number,
): readonly string[] {
  const type = holds ?? 'number'
  const place = `this.${kind}[${indexOf(at, kind === 'f64' ? 3 : 2)}]`
  return [
    `  get ${name}(): ${type} {`,
    `    return ${place}${holds === null ? '!' : ` as ${type}`}`,
    '  }',
    '',
    `  set ${name}(value: ${type}) {`,
    `    ${place} = value`,
    '  }',
  ]
}

function textMembers(
  { name, bytes, text }: Extract<PlacedField['field'], { kind: 'bytes' }>,
  at: number,
): readonly string[] {
  if (text === null) return []
  const isCounted = text === 'counted'
  // Bounded, because a record that is overwritten while it is read may hold any length.
  const length = isCounted ? `Math.min(${bytes}, this.${name}Bytes)` : bytes
  return [
    '',
    `  get ${name}Text(): string {`,
    `    return readText(this.u8, ${offsetOf(at)}, ${length})`,
    '  }',
    '',
    `  set ${name}Text(text: string) {`,
    ...(isCounted ? [`    this.${name}Bytes = text.length`] : []),
    `    writeText(text, this.u8, ${offsetOf(at)}, ${bytes})`,
    '  }',
  ]
}

function offsetGetter(name: string, at: number): readonly string[] {
  return [`  get ${name}At(): number {`, `    return ${offsetOf(at)}`, '  }']
}

/** @param count number of values; null: the caller passes it. */
function doubleMembers(name: string, at: number, count: number | null): readonly string[] {
  const first = indexOf(at, 3)
  return [
    `  ${name}(i: number): number {`,
    `    return this.f64[(${first}) + i]!`,
    '  }',
    '',
    `  set${capital(name)}(i: number, value: number): void {`,
    `    this.f64[(${first}) + i] = value`,
    '  }',
    '',
    '  /** All of them; an object a call, so not for the path of an order. */',
    `  ${name}View(${count === null ? 'count: number' : ''}): Float64Array {`,
    `    const first = ${first}`,
    `    return this.f64.subarray(first, first + ${count ?? 'count'})`,
    '  }',
  ]
}

function rowMembers(
  { name, of }: Extract<PlacedField['field'], { kind: 'rows' }>,
  at: number,
): readonly string[] {
  const rowBytes = of === 'bytes' ? 1 : of === 'f64' ? 8 : placesOf(of).bytes
  const row =
    typeof of === 'object'
      ? [
          `  ${name}(i: number): ${of.name} {`,
          `    return this.#${name}.over(this.views, ${offsetOf(at)} + i * ${rowBytes})`,
          '  }',
        ]
      : of === 'f64'
        ? [...offsetGetter(name, at), '', ...doubleMembers(name, at, null)]
        : offsetGetter(name, at)
  return [
    ...row,
    '',
    '  /** Length of a record with so many of them, rounded up to eight. */',
    '  static bytesWith(count: number): number {',
    `    return (${at} + count * ${rowBytes} + 7) & ~7`,
    '  }',
  ]
}

function capital(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1)
}

/** Formats a doc comment, wrapped at 100 columns. */
export function commentOf(indent: string, text: string): string {
  const one = `${indent}/** ${text} */`
  if (one.length <= 100) return one
  const lines: string[] = []
  let line = `${indent} *`
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > 100) {
      lines.push(line)
      line = `${indent} *`
    }
    line += ` ${word}`
  }
  return [`${indent}/**`, ...lines, line, `${indent} */`].join('\n')
}
