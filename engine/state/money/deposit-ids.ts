import { assert } from '../../../schemas/assert.js'
import { grantMinuteOf } from '../../../schemas/grant-id.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'

/** A deposit with an id. */
export interface NamedDeposit {
  /** -1 for the insurance fund. */
  readonly account: number
  readonly amountMicros: number
}

/** Minutes after its own for which the id of a grant is kept, because a gateway may send it late. */
const grantMinutesKept = 1

class KnownDeposit implements NamedDeposit, Saved {
  readonly cell = new HashCell(HashKind.Deposit, this)
  readonly id: string
  readonly account: number
  readonly amountMicros: number

  constructor(id: string, { account, amountMicros }: NamedDeposit) {
    this.id = id
    this.account = account
    this.amountMicros = amountMicros
  }

  save(sink: StateSink): void {
    sink.text(this.id)
    sink.i32(this.account)
    sink.f64(this.amountMicros)
  }
}

/**
 * Ids of deposits: a second deposit with an id changes nothing. Ids given by the operator are kept for ever. Anybody
 * can cause faucet grants, so their ids are deleted after their minute, when they can no longer arrive.
 */
export class DepositIds {
  readonly #named = new Map<string, KnownDeposit>()
  /** Oldest first. */
  readonly #grants = new Map<string, KnownDeposit>()
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  get size(): number {
    return this.#named.size + this.#grants.size
  }

  get(id: string): NamedDeposit | undefined {
    return this.#named.get(id) ?? this.#grants.get(id)
  }

  add(id: string, deposit: NamedDeposit): void {
    assert(this.get(id) === undefined, 'deposit ids: the id is new')
    assert(deposit.account >= -1, 'deposit ids: the receiver is an account or the insurance fund')
    assert(deposit.amountMicros > 0, 'deposit ids: the amount is positive')
    const known = new KnownDeposit(id, deposit)
    if (grantMinuteOf(id) < 0) this.#named.set(id, known)
    else this.#grants.set(id, known)
    this.#hash.note(known.cell)
  }

  /** Deletes the ids of grants that have expired by this minute. */
  forgetGrants(minute: number): void {
    for (const [id, { cell }] of this.#grants) {
      if (grantMinuteOf(id) >= minute - grantMinutesKept) return
      this.#grants.delete(id)
      this.#hash.drop(cell)
    }
  }

  /** Yields each deposit with its id: those of the operator, then the grants. */
  *[Symbol.iterator](): Generator<KnownDeposit> {
    yield* this.#named.values()
    yield* this.#grants.values()
  }

  save(sink: StateSink): void {
    sink.i32(this.size)
    for (const known of this) known.save(sink)
  }

  load(reader: StateReader): void {
    for (let i = reader.i32(); i > 0; i--) {
      const id = reader.text()
      this.add(id, { account: reader.i32(), amountMicros: reader.f64() })
    }
  }
}
