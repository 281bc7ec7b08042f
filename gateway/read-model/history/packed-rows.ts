import type { RecordViews } from '../../../schemas/record-views.js'
import { addressBytes, formatAddress } from '../../../schemas/wallet.js'
import { PackedReader, PackedWriter } from './packed-bytes.js'
import {
  type Column,
  type Given,
  isNumber,
  isOptional,
  type PackedTable,
  type Row,
  type Table,
  type Value,
} from './table.js'

// A row of a packed table, without its key:
//
//      | addresses | which may-be-null ones are there | numbers | texts | those that may be null and are there |
//
// A column that comes later stands behind all others and may be null: earlier rows say that it is not there.

/** Bytes of a number at most. */
const numberBytes = 9
const utf8BytesMax = 3
const rowBytesFirst = 512

const textEncoder = new TextEncoder()
const textDecoder = new TextDecoder()

type Reads = Column<never>

/** Where each column stands. */
interface Layout {
  readonly addresses: readonly (readonly [name: string, column: Reads])[]
  readonly others: readonly (readonly [name: string, column: Reads])[]
  readonly hasOptional: boolean
}

function layoutOf(table: Table): Layout {
  const columns = Object.entries<Reads>(table.columns).filter(([name]) => name !== table.key[0])
  const isAddress = ([, column]: readonly [string, Reads]) => column.addressAt !== undefined
  return {
    addresses: columns.filter(isAddress),
    others: columns
      .filter((column) => !isAddress(column))
      .sort(([, one], [, other]) => placeOf(one) - placeOf(other)),
    hasOptional: columns.some(([, column]) => isOptional(column)),
  }
}

/** Numbers that every row has are found without what follows them. */
function placeOf(column: Reads): number {
  if (isOptional(column)) return 2
  return isNumber(column) ? 0 : 1
}

type Named = readonly [name: string, column: Reads]

/** Writes rows of one table, of events or of their values, one behind the other. */
export class RowPacker {
  readonly out = new PackedWriter(rowBytesFirst)
  readonly #table: Table
  readonly #keyName: string
  readonly #key: Reads
  readonly #addresses: readonly Named[]
  readonly #numbers: readonly Named[]
  readonly #texts: readonly Named[]
  readonly #optionals: readonly Named[]
  /** Of those that may be null. */
  readonly #values: Value[]

  constructor(table: Table) {
    this.#table = table
    const { addresses, others } = layoutOf(table)
    this.#keyName = table.key[0]!
    this.#key = table.columns[this.#keyName]!
    this.#addresses = addresses
    const at = (place: number) => others.filter(([, column]) => placeOf(column) === place)
    this.#numbers = at(0)
    this.#texts = at(1)
    this.#optionals = at(2)
    this.#values = this.#optionals.map(() => null)
  }

  /**
   * Packs the row of the event at `at`.
   * @returns its id; -1 when the event has no row.
   */
  packEvent(views: RecordViews, at: number, given: Given): number {
    const event = this.#table.event as never
    this.#table.event!.over(views, at)
    if (!(this.#table.isRow?.(event) ?? true)) return -1
    const { out } = this
    const [addresses, numbers, texts] = [this.#addresses, this.#numbers, this.#texts]
    const optionals = this.#optionals
    out.reserve(rowBytesFirst)
    for (let i = 0; i < addresses.length; i++) {
      this.#copy(views.u8, addresses[i]![1].addressAt!(event), addressBytes)
    }
    for (let i = 0; i < optionals.length; i++) {
      this.#values[i] = optionals[i]![1].read(event, given)
    }
    this.#packPresence()
    for (let i = 0; i < numbers.length; i++) {
      out.number(numbers[i]![1].read(event, given) as number)
    }
    for (let i = 0; i < texts.length; i++) {
      const { ascii, read } = texts[i]![1]
      if (ascii === undefined) this.#packText(read(event, given) as string)
      else this.#packAscii(views.u8, ascii.at(event), ascii.bytes(event))
    }
    this.#packOptionals()
    return this.#key.read(event, given) as number
  }

  /** Packs a row of values by name. @returns its id. */
  packRow(row: Readonly<Record<string, Value>>): number {
    const { out } = this
    out.reserve(rowBytesFirst)
    for (const [name] of this.#addresses) {
      out.put(Buffer.from(String(row[name]).slice(2), 'hex'))
    }
    for (const [i, [name]] of this.#optionals.entries()) this.#values[i] = row[name] ?? null
    this.#packPresence()
    for (const [name] of this.#numbers) out.number(row[name] as number)
    for (const [name] of this.#texts) this.#packText(String(row[name]))
    this.#packOptionals()
    return row[this.#keyName] as number
  }

  #copy(source: Uint8Array, at: number, bytes: number): void {
    const { out } = this
    for (let i = 0; i < bytes; i++) out.bytes[out.end++] = source[at + i]!
  }

  #packPresence(): void {
    const values = this.#values
    if (values.length === 0) return
    let present = 0
    let bit = 1
    for (let i = 0; i < values.length; i++) {
      if (values[i] !== null) present += bit
      bit *= 2
    }
    this.out.count(present)
  }

  #packOptionals(): void {
    const { out } = this
    const values = this.#values
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      if (value === null) continue
      if (typeof value === 'number') {
        out.reserve(numberBytes)
        out.number(value)
      } else this.#packText(value)
    }
  }

  #packAscii(source: Uint8Array, at: number, bytes: number): void {
    this.out.reserve(numberBytes + bytes)
    this.out.count(bytes)
    this.#copy(source, at, bytes)
  }

  #packText(text: string): void {
    const { out } = this
    out.reserve(numberBytes + text.length * utf8BytesMax)
    if (text.length === 0) out.count(0)
    else {
      const bytes = textEncoder.encode(text)
      out.count(bytes.length)
      out.put(bytes)
    }
  }
}

/** Reads rows of one table, by the names of their columns. */
export class RowUnpacker<T extends Table> {
  readonly #layout: Layout
  readonly #keyName: string

  constructor(table: T) {
    this.#layout = layoutOf(table)
    this.#keyName = table.key[0]!
  }

  rowAt(bytes: Uint8Array, at: number, id: number): Row<T> {
    const row: Record<string, Value> = { [this.#keyName]: id }
    const { addresses, others, hasOptional } = this.#layout
    const reader = new PackedReader(bytes)
    reader.at = at
    for (const [name] of addresses) {
      row[name] = formatAddress(bytes, reader.at)
      reader.at += addressBytes
    }
    let present = hasOptional ? reader.count() : 0
    for (const [name, column] of others) {
      if (isOptional(column)) {
        const isThere = present % 2 === 1
        present = Math.floor(present / 2)
        if (!isThere) {
          row[name] = null
          continue
        }
      }
      row[name] = isNumber(column) ? reader.number() : textOf(reader)
    }
    return row as Row<T>
  }
}

function textOf(reader: PackedReader): string {
  const length = reader.count()
  const begin = reader.at
  reader.at += length
  return length === 0 ? '' : textDecoder.decode(reader.bytes.subarray(begin, reader.at))
}

/** Reads one number that every row has. */
export class NumberField {
  readonly #offset: number
  readonly #skipped: number
  readonly #reader = new PackedReader(new Uint8Array(0))

  constructor(table: Table, name: string) {
    const { addresses, others, hasOptional } = layoutOf(table)
    const place = others.findIndex(([other]) => other === name)
    this.#offset = addresses.length * addressBytes
    this.#skipped = place + (hasOptional ? 1 : 0)
  }

  read(bytes: Uint8Array, rowAt: number): number {
    const reader = this.#reader
    reader.bytes = bytes
    reader.at = rowAt + this.#offset
    reader.skip(this.#skipped)
    return reader.number()
  }
}

/** Finds the bytes of a text that every row has, in a row at `at` of the reader's bytes. */
export class TextField {
  readonly #offset: number
  readonly #numbers: number
  readonly #texts: number
  readonly #reader = new PackedReader(new Uint8Array(0))
  begin = 0
  end = 0

  constructor(table: Table, name: string) {
    const { addresses, others, hasOptional } = layoutOf(table)
    const first = others.findIndex(([, column]) => placeOf(column) === 1)
    this.#offset = addresses.length * addressBytes
    this.#numbers = first + (hasOptional ? 1 : 0)
    this.#texts = others.findIndex(([other]) => other === name) - first
  }

  find(bytes: Uint8Array, rowAt: number): this {
    const reader = this.#reader
    reader.bytes = bytes
    reader.at = rowAt + this.#offset
    reader.skip(this.#numbers)
    for (let text = 0; text < this.#texts; text++) {
      const passed = reader.count()
      reader.at += passed
    }
    const length = reader.count()
    this.begin = reader.at
    this.end = reader.at + length
    return this
  }
}

/** Where an address stands in a row of its table. */
export function addressOffset(table: Table, name: string): number {
  return layoutOf(table).addresses.findIndex(([other]) => other === name) * addressBytes
}

/** Reads whose list a row's id stands in: a wallet as the characters of its bytes, or a number. */
export function ownerField(table: PackedTable): (bytes: Buffer, rowAt: number) => string | number {
  const [owner] = table.listedBy
  if (table.columns[owner]!.addressAt === undefined) {
    const field = new NumberField(table, owner)
    return (bytes, rowAt) => field.read(bytes, rowAt)
  }
  const offset = addressOffset(table, owner)
  return (bytes, rowAt) => bytes.toString('latin1', rowAt + offset, rowAt + offset + addressBytes)
}
