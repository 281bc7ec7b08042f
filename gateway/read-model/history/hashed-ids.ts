import { addressBytes, parseAddress } from '../../../schemas/wallet.js'
import type { RowKeys } from './id-lists.js'
import { addressOffset, TextField } from './packed-rows.js'
import type { PackedTable, Table } from './table.js'

// Rows that are found by an address and a text of theirs, such as an order by its client id: a list (`id-lists.ts`) by a
// hash of both, whose low bits are the owner, and the others the part. Who looks for a row finds the ids of all that share
// its hash, nearly always one, and looks at their rows.

/** A search reads the parts of one owner, a take-up writes a row for each. */
const owners = 256
const hashSeed = 0x811c9dc5
const hashPrime = 0x01000193

/** Name of the list. */
export function hashedListOf({ name }: Table): string {
  return `${name.slice(0, -1)}_hashed_ids`
}

/** Where the list has rows of an address and a text. */
export interface HashedPlace {
  readonly owner: number
  readonly part: number
}

/** Reads where the list has a row; it has none whose text is empty. */
export class HashedKeys implements RowKeys {
  owner = 0
  part = 0
  readonly #addressAt: number
  readonly #text: TextField

  constructor(table: PackedTable) {
    const [address, text] = table.hashedBy!
    this.#addressAt = addressOffset(table, address)
    this.#text = new TextField(table, text)
  }

  read(bytes: Uint8Array, at: number): boolean {
    const { begin, end } = this.#text.find(bytes, at)
    if (begin === end) return false
    const addressAt = at + this.#addressAt
    const hash = hashed(
      hashed(hashSeed, bytes, addressAt, addressAt + addressBytes),
      bytes,
      begin,
      end,
    )
    this.owner = (hash >>> 0) % owners
    this.part = Math.floor((hash >>> 0) / owners)
    return true
  }
}

/** @param address as text. */
export function hashedPlace(address: string, text: string): HashedPlace {
  const bytes = Buffer.from(text)
  const ofAddress = hashed(hashSeed, parseAddress(address)!, 0, addressBytes)
  const hash = hashed(ofAddress, bytes, 0, bytes.length) >>> 0
  return { owner: hash % owners, part: Math.floor(hash / owners) }
}

function hashed(seed: number, bytes: Uint8Array, begin: number, end: number): number {
  let hash = seed
  for (let at = begin; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, hashPrime)
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
}
