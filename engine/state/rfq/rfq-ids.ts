import { assert } from '../../../schemas/assert.js'
import { rfqIdsKept, uuidBytes } from '../../../schemas/bounds.js'
import type { RfqStatus } from '../../../schemas/domain.js'
import { formatUuid } from '../../../schemas/uuid.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import {
  HashKind,
  rowBytes,
  rowDoubles,
  rowWords,
  type StateHash,
} from '../../memory/state-hash.js'

const idWords = uuidBytes / 4

/** A remembered request. */
interface KnownRfq {
  readonly id: Uint8Array
  /** Increases by one with each request. */
  readonly number: number
  /** Account of its taker. */
  readonly account: number
  status: RfqStatus
}

/** Latest requests for quote by the texts of their ids, with their takers and statuses. */
export class RfqIds {
  /** Oldest first. */
  readonly #known = new Map<string, KnownRfq>()
  readonly #hash: StateHash
  readonly #kept: number
  /** Serial number of the next request. */
  #nextNumber = 0

  constructor(hash: StateHash, kept: number = rfqIdsKept) {
    this.#hash = hash
    this.#kept = kept
  }

  /** @returns null if no request with that id is remembered. */
  find(key: string): Readonly<Pick<KnownRfq, 'account' | 'status'>> | null {
    return this.#known.get(key) ?? null
  }

  /** Remembers a request; displaces the oldest one if the maximum is kept. */
  add(key: string, id: Uint8Array, account: number, status: RfqStatus): void {
    assert(!this.#known.has(key), 'rfq ids: the id is new')
    if (this.#known.size === this.#kept) {
      const [[oldestKey, oldest]] = this.#known
      this.#put(oldest, false)
      this.#known.delete(oldestKey)
    }
    const known = { id, number: this.#nextNumber++, account, status }
    this.#known.set(key, known)
    this.#put(known, true)
  }

  /** Sets the status of a request, if it is still remembered. */
  setStatus(key: string, status: RfqStatus): void {
    const known = this.#known.get(key)
    if (known === undefined) return
    this.#put(known, false)
    known.status = status
    this.#put(known, true)
  }

  save(sink: StateSink): void {
    sink.f64(this.#nextNumber)
    sink.i32(this.#known.size)
    for (const { id, account, status } of this.#known.values()) {
      sink.bytes(id)
      sink.i32(account)
      sink.i32(status)
    }
  }

  load(reader: StateReader): void {
    const nextNumber = reader.f64()
    const count = reader.i32()
    this.#nextNumber = nextNumber - count
    for (let i = 0; i < count; i++) {
      const id = reader.bytes(uuidBytes).slice()
      this.add(formatUuid(id, 0), id, reader.i32(), reader.i32() as RfqStatus)
    }
  }

  #put({ id, number, account, status }: KnownRfq, adds: boolean): void {
    rowBytes.set(id)
    rowWords[idWords] = account
    rowWords[idWords + 1] = status
    rowDoubles[idWords / 2 + 1] = number
    this.#hash.put(HashKind.RfqId, idWords + 4, adds)
  }
}
