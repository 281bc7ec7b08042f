import type { Column, ColumnType, Table, TableShape } from '../engine/tables/describe.js'
import { accounts, instruments, marks, wallets } from '../engine/tables/layouts/dense.js'
import { liquidations, perps, settlements } from '../engine/tables/layouts/lifecycle.js'
import { orders } from '../engine/tables/layouts/orders.js'
import { buckets, expiryGroups, exposures } from '../engine/tables/layouts/risk.js'
import { commentOf, enumerationHomes } from './generate-records.js'

// Generates a class for each table of the state from engine/tables/layouts.

export const tables: readonly Table[] = [
  orders,
  exposures,
  expiryGroups,
  buckets,
  settlements,
  liquidations,
  perps,
  instruments,
  accounts,
  wallets,
  marks,
]

const classes: Readonly<Record<TableShape, (table: Table) => string>> = {
  rows: rowsClass,
  columns: columnsClass,
  objects: objectClass,
}

/** Folder of the generated files. */
export const tablesFolder = 'engine/tables/generated'

/**
 * Returns the code of the tables.
 * @param root folder of the project.
 * @returns text by path relative to `tablesFolder`.
 */
export function generateTables(root: string): Map<string, string> {
  const homes = enumerationHomes(root)
  return new Map(
    tables.map((table) => {
      const body = classes[table.shape](table)
      return [`${table.file}.ts`, `${headOf(table, homes, body)}\n${body}`]
    }),
  )
}

function headOf({ columns }: Table, homes: Map<string, string>, body: string): string {
  const held = new Map<string, Set<string>>()
  for (const { holds } of columns) {
    if (holds === null) continue
    const home = homes.get(holds)
    if (home === undefined) throw new Error(`${holds} is in none of the schemas`)
    const path = `../../../${home.replace(/\.ts$/, '.js')}`
    held.set(path, (held.get(path) ?? new Set()).add(holds))
  }
  const code = body.replace(/^ *(\/\*\*|\*).*$/gm, '')
  const used = (path: string, names: readonly string[], word = 'import') => {
    const found = names.filter((name) =>
      new RegExp(`\\b${name.replace('type ', '')}\\b`).test(code),
    )
    return found.length === 0
      ? []
      : [`${word} { ${found.join(', ')} } from '../../memory/${path}.js'`]
  }
  return [
    '// Generated from engine/tables/layouts by `npm run generate`; not to be edited.',
    ...[...held].map(
      ([path, names]) => `import type { ${[...names].sort().join(', ')} } from '${path}'`,
    ),
    ...used('exact-sum', ['readSum', 'writeSum']),
    ...used('grown', ['grown']),
    ...used('rows', ['bytesAt', 'doublesAt', 'grownMemory', 'none', 'rowCells', 'wordsAt']),
    ...used('state-codec', ['StateReader', 'StateSink'], 'import type'),
    ...used('state-hash', ['HashCell', 'HashKind', 'rowDoubles', 'rowWords', 'type StateHash']),
    ...used('touched', ['touched']),
    '',
  ].join('\n')
}

function isState({ derivedFrom }: Column): boolean {
  return derivedFrom === null
}

/** Returns the doc comment of a column, with the source of a derived one. */
function docOf({ doc, derivedFrom }: Column): readonly string[] {
  const words = [doc, derivedFrom === null ? '' : `Derived: ${derivedFrom}.`].filter(
    (word) => word !== '',
  )
  return words.length === 0 ? [] : [commentOf('  ', words.join(' '))]
}

function typeOf({ holds, type }: Column): string {
  if (type === 'bool') return 'boolean'
  return type === 'sum' ? 'bigint' : (holds ?? 'number')
}

function initialOf({ initial, type }: Column): string {
  if (type === 'sum') return '0n'
  if (type === 'bool') return initial === '1' ? 'true' : 'false'
  if (initial === 'NaN') return 'Number.NaN'
  if (initial === 'Infinity') return 'Number.POSITIVE_INFINITY'
  return initial ?? '0'
}

const writes: Readonly<Record<ColumnType, (value: string) => string>> = {
  f64: (value) => `sink.f64(${value})`,
  i32: (value) => `sink.i32(${value})`,
  u8: (value) => `sink.i32(${value})`,
  bool: (value) => `sink.i32(${value} ? 1 : 0)`,
  sum: (value) => `writeSum(sink, ${value})`,
}

function readOf({ type, holds }: Column): string {
  if (type === 'bool') return 'reader.i32() === 1'
  if (type === 'sum') return 'readSum(reader)'
  const value = type === 'f64' ? 'reader.f64()' : 'reader.i32()'
  return holds === null ? value : `${value} as ${holds}`
}

function objectClass({ name, doc, hashKind, keys, columns }: Table): string {
  const state = columns.filter(isState)
  const keyed = columns.filter((column) => keys.includes(column.name))
  const others = state.filter((column) => !keys.includes(column.name))
  const fields = columns.flatMap((column) => [
    ...docOf(column),
    keys.includes(column.name)
      ? `  readonly ${column.name}: ${typeOf(column)}`
      : `  ${column.name}: ${typeOf(column)} = ${initialOf(column)}`,
  ])
  return [
    commentOf('', doc),
    `export class ${name} {`,
    ...fields,
    '  /** Its element of the hash: noted where the row changes. */',
    `  readonly cell = new HashCell(HashKind.${hashKind}, this)`,
    '',
    `  constructor(${keyed.map((column) => `${column.name}: ${typeOf(column)}`).join(', ')}) {`,
    ...keyed.map((column) => `    this.${column.name} = ${column.name}`),
    '  }',
    '',
    '  /** Writes all of it that is state. */',
    '  save(sink: StateSink): void {',
    ...state.map((column) => `    ${writes[column.type](`this.${column.name}`)}`),
    '  }',
    '',
    '  /** What `save` wrote. */',
    `  static load(reader: StateReader): ${name} {`,
    `    const row = new ${name}(${keyed.map(readOf).join(', ')})`,
    ...others.map((column) => `    row.${column.name} = ${readOf(column)}`),
    '    return row',
    '  }',
    '',
    '  /** Names of the columns of state in which it is not as the other one. */',
    `  differences(other: ${name}): string[] {`,
    '    const names: string[] = []',
    ...state.map(
      ({ name: column }) =>
        `    if (!Object.is(this.${column}, other.${column})) names.push('${column}')`,
    ),
    '    return names',
    '  }',
    '}',
    '',
  ].join('\n')
}

/** Memory of a row table, with up to eight columns of one type. */
interface Memory {
  readonly name: string
  readonly columns: readonly Column[]
  readonly at: 'doublesAt' | 'wordsAt' | 'bytesAt'
  readonly array: string
  readonly bytes: number
}

const cellsPerRow = 8

function memoriesOf(columns: readonly Column[]): readonly Memory[] {
  const kinds = [
    { type: 'f64', name: 'doubles', at: 'doublesAt', array: 'Float64Array', bytes: 8 },
    { type: 'i32', name: 'words', at: 'wordsAt', array: 'Int32Array', bytes: 4 },
    { type: 'u8', name: 'bytes', at: 'bytesAt', array: 'Uint8Array', bytes: 1 },
  ] as const
  return kinds.flatMap(({ type, ...kind }) => {
    const own = columns.filter((column) => column.type === type)
    return Array.from({ length: Math.ceil(own.length / cellsPerRow) }, (_, i) => ({
      ...kind,
      name: i === 0 ? kind.name : `${kind.name}${i + 1}`,
      columns: own.slice(i * cellsPerRow, (i + 1) * cellsPerRow),
    }))
  })
}

function rowsClass(table: Table): string {
  const { name, doc, columns, freeColumn } = table
  const memories = memoriesOf(columns)
  const state = columns.filter(isState)
  const arrayOf = (column: Column) => memories.find((one) => one.columns.includes(column))!.array
  return [
    commentOf('', doc),
    `export class ${name} {`,
    '  /** Rows that there is memory for. */',
    '  capacity: number',
    '  /** Rows ever taken: every live one is among them. */',
    '  high = 0',
    ...columns.flatMap((column) => [...docOf(column), `  ${column.name}!: ${arrayOf(column)}`]),
    ...memories.map(({ name: memory }) => `  #${memory}: ArrayBuffer`),
    '  #freeHead = none',
    '',
    '  constructor(capacity = 64) {',
    '    const cells = capacity * rowCells',
    '    this.capacity = capacity',
    ...memories.map(
      ({ name: memory, bytes }) => `    this.#${memory} = new ArrayBuffer(cells${times(bytes)})`,
    ),
    '    this.#layColumns()',
    '  }',
    ...takeMembers(columns, freeColumn!),
    ...growMembers(memories),
    ...(state.length === 0 ? [] : stateMembers(name, state)),
    ...hashMembers(table),
    '}',
    '',
  ].join('\n')
}

/** Returns the members that save, load and compare the state columns of a row. */
function stateMembers(name: string, state: readonly Column[]): readonly string[] {
  return [
    '',
    '  /** Writes all of a row that is state. */',
    '  saveRow(row: number, sink: StateSink): void {',
    ...state.map((column) => `    ${writes[column.type](`this.${column.name}[row]`)}`),
    '  }',
    '',
    '  /** Reads into a row what `saveRow` wrote. */',
    '  loadRow(row: number, reader: StateReader): void {',
    ...state.map(
      (column) => `    this.${column.name}[row] = ${readOf({ ...column, holds: null })}`,
    ),
    '  }',
    '',
    '  /** Names of the columns of state in which a row is not as that of another table. */',
    `  differences(row: number, other: ${name}, otherRow: number): string[] {`,
    '    const names: string[] = []',
    ...state.map(
      ({ name: column }) =>
        `    if (!Object.is(this.${column}[row], other.${column}[otherRow])) names.push('${column}')`,
    ),
    '    return names',
    '  }',
  ]
}

/** Byte columns per word of a hashed row. */
const bytesPerWord = 4

/** Returns the hash members of a row. The hashed element has doubles, words, bytes four to a word, and a dense row's index. */
function hashMembers({ columns, hashKind, keys, shape }: Table): readonly string[] {
  if (hashKind === null) return []
  const hashed = columns.filter((column) => isState(column) || keys.includes(column.name))
  const ofType = (type: ColumnType) => hashed.filter((column) => column.type === type)
  const [doubles, words, bytes] = [ofType('f64'), ofType('i32'), ofType('u8')]
  const packed = Array.from({ length: Math.ceil(bytes.length / bytesPerWord) }, (_, word) =>
    bytes
      .slice(word * bytesPerWord, (word + 1) * bytesPerWord)
      .map(({ name }, i) => (i === 0 ? `this.${name}[row]` : `(this.${name}[row] << ${8 * i})`))
      .join(' | '),
  )
  const wordValues = [
    ...words.map(({ name }) => `this.${name}[row]`),
    ...packed,
    ...(shape === 'columns' ? ['row'] : []),
  ]
  const first = 2 * doubles.length
  return [
    '',
    '  /** Adds a row to the hash, or takes it out of it: around every change of what is state. */',
    '  hashRow(row: number, hash: StateHash, adds: boolean): void {',
    ...doubles.map(({ name }, i) => `    rowDoubles[${i}] = this.${name}[row] + 0`),
    ...wordValues.map((value, i) => `    rowWords[${first + i}] = ${value}`),
    `    hash.put(HashKind.${hashKind}, ${first + wordValues.length}, adds)`,
    '  }',
  ]
}

const arrays = { f64: 'Float64Array', i32: 'Int32Array', u8: 'Uint8Array' } as const

/** Returns the code that allocates a column, and fills it if rows do not start with 0. */
function newColumn(column: Column, length: string): string {
  const made = `new ${arrays[column.type as keyof typeof arrays]}(${length})`
  const { initial } = column
  return initial === null || initial === '0' ? made : `${made}.fill(${initialOf(column)})`
}

function columnsClass(table: Table): string {
  const { name, doc, columns } = table
  const state = columns.filter(isState)
  const initial = columns.filter((column) => column.initial !== null)
  return [
    commentOf('', doc),
    `export class ${name} {`,
    ...columns.flatMap((column) => [
      ...docOf(column),
      `  ${column.name}: ${arrays[column.type as keyof typeof arrays]}`,
    ]),
    '',
    '  constructor(length = 64) {',
    ...columns.map((column) => `    this.${column.name} = ${newColumn(column, 'length')}`),
    '  }',
    '',
    '  /** Rows that there is memory for. */',
    '  get length(): number {',
    `    return this.${columns[0]!.name}.length`,
    '  }',
    '',
    '  /** Takes memory for so many rows; columns are replaced, so nobody keeps one over it. */',
    '  growTo(length: number): void {',
    ...columns.map(
      (column) =>
        `    this.${column.name} = grown(this.${column.name}, ${newColumn(column, 'length')})`,
    ),
    '  }',
    ...(initial.length === 0
      ? []
      : [
          '',
          '  /** A row as it is at first. */',
          '  resetRow(row: number): void {',
          ...initial.map((column) => `    this.${column.name}[row] = ${initialOf(column)}`),
          '  }',
        ]),
    ...(state.length === 0 ? [] : stateMembers(name, state)),
    ...hashMembers(table),
    '}',
    '',
  ].join('\n')
}

function times(bytes: number): string {
  return bytes === 1 ? '' : ` * ${bytes}`
}

function takeMembers(columns: readonly Column[], freeColumn: string): readonly string[] {
  const set = columns.filter(({ initial }) => initial !== null)
  return [
    '',
    "  /** A free row, or a new one, with what a row has at first; the other columns are the caller's to set. */",
    '  take(): number {',
    '    let row = this.#freeHead',
    `    if (row !== none) this.#freeHead = this.${freeColumn}[row]!`,
    '    else {',
    '      if (this.high === this.capacity) this.growTo(this.nextCapacity())',
    '      row = this.high++ * rowCells',
    '    }',
    ...set.map((column) => `    this.${column.name}[row] = ${initialOf(column)}`),
    '    return row',
    '  }',
    '',
    '  /** Frees a row that has no reader. */',
    '  give(row: number): void {',
    `    this.${freeColumn}[row] = this.#freeHead`,
    '    this.#freeHead = row',
    '  }',
  ]
}

function growMembers(memories: readonly Memory[]): readonly string[] {
  return [
    '',
    '  /** Rows to have memory for when there are too few. */',
    '  protected nextCapacity(): number {',
    '    return this.capacity * 2',
    '  }',
    '',
    '  /** Takes memory for so many rows; columns are replaced, so nobody keeps one over it. */',
    '  growTo(capacity: number): void {',
    '    this.capacity = capacity',
    '    const cells = capacity * rowCells',
    ...memories.map(
      ({ name, bytes }) => `    this.#${name} = grownMemory(this.#${name}, cells${times(bytes)})`,
    ),
    '    this.#layColumns()',
    '  }',
    '',
    '  /** Makes all of its memory resident. */',
    '  touch(): void {',
    ...memories.map(({ name }) => `    touched(new Uint8Array(this.#${name}))`),
    '  }',
    '',
    '  #layColumns(): void {',
    ...memories.flatMap(({ name, columns, at }) =>
      columns.map((column, cell) => `    this.${column.name} = ${at}(this.#${name}, ${cell})`),
    ),
    '  }',
  ]
}
