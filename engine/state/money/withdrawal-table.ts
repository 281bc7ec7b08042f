import { assert } from '../../../schemas/assert.js'
import {
  moneyMicrosMax,
  txHashBytes,
  uuidBytes,
  withdrawalsEndedKept,
} from '../../../schemas/bounds.js'
import { DeliveryStatus, DomainStatus } from '../../../schemas/domain.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { addressBytes } from '../../../schemas/wallet.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'
import { Fund, type Funds } from './funds.js'

/** Amount, source and destination of a withdrawal. */
export interface WithdrawalTerms {
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly account: number
  readonly amountMicros: number
  /** 20 bytes. */
  readonly destination: Uint8Array
  readonly createdMillis: number
}

/** A withdrawal whose money is in transit, or stuck until a person has found it. */
export class Withdrawal implements WithdrawalTerms, Saved {
  readonly id: Uint8Array
  readonly key: string
  readonly account: number
  readonly amountMicros: number
  readonly destination: Uint8Array
  readonly createdMillis: number
  delivery: DeliveryStatus = DeliveryStatus.Pending
  /** 32 bytes; zeros if unknown. */
  txHash: Uint8Array = new Uint8Array(txHashBytes)
  readonly cell = new HashCell(HashKind.Withdrawal, this)

  constructor({ id, account, amountMicros, destination, createdMillis }: WithdrawalTerms) {
    this.id = id
    this.key = formatUuid(id, 0)
    this.account = account
    this.amountMicros = amountMicros
    this.destination = destination
    this.createdMillis = createdMillis
  }

  get domain(): DomainStatus {
    const { delivery } = this
    return delivery < DeliveryStatus.ManualReview
      ? DomainStatus.PendingChainEffect
      : DomainStatus.PendingManualReview
  }

  save(sink: StateSink): void {
    sink.bytes(this.id)
    sink.i32(this.account)
    sink.f64(this.amountMicros)
    sink.bytes(this.destination)
    sink.f64(this.createdMillis)
    sink.i32(this.delivery)
    sink.bytes(this.txHash)
  }
}

/** Final status of a withdrawal. */
export class EndedWithdrawal implements Saved {
  readonly id: Uint8Array
  /** Increases by one with each. */
  readonly number: number
  readonly domain: DomainStatus
  readonly delivery: DeliveryStatus
  readonly cell = new HashCell(HashKind.EndedWithdrawal, this)

  constructor(id: Uint8Array, number: number, domain: DomainStatus, delivery: DeliveryStatus) {
    this.id = id
    this.number = number
    this.domain = domain
    this.delivery = delivery
  }

  save(sink: StateSink): void {
    sink.bytes(this.id)
    sink.f64(this.number)
    sink.i32(this.domain)
    sink.i32(this.delivery)
  }
}

/**
 * Withdrawals in transit, and the final status of the latest others, so that repeated reports about them are
 * recognized. The fund `InTransit` is the sum of the open ones, and moves with them.
 */
export class WithdrawalTable {
  /** By id, oldest first. */
  readonly #rows = new Map<string, Withdrawal>()
  readonly #ended = new Map<string, EndedWithdrawal>()
  /** By account, derived. */
  readonly #sums = new Map<number, { count: number; micros: number }>()
  readonly #hash: StateHash
  readonly #funds: Funds
  readonly #endedKept: number
  #endedCount = 0

  constructor(hash: StateHash, funds: Funds, endedKept: number = withdrawalsEndedKept) {
    this.#hash = hash
    this.#funds = funds
    this.#endedKept = endedKept
  }

  get rows(): Iterable<Withdrawal> {
    return this.#rows.values()
  }

  /** Number of withdrawals in transit, of all wallets. */
  get openCount(): number {
    return this.#rows.size
  }

  /** Oldest first. */
  get ended(): Iterable<EndedWithdrawal> {
    return this.#ended.values()
  }

  find(key: string): Withdrawal | null {
    return this.#rows.get(key) ?? null
  }

  /** Returns the final status of a withdrawal; null if it is open, ended long ago, or never existed. */
  endOf(key: string): Readonly<Pick<EndedWithdrawal, 'domain' | 'delivery'>> | null {
    return this.#ended.get(key) ?? null
  }

  /** Returns the number of a wallet's withdrawals in transit. */
  countOf(account: number): number {
    return this.#sums.get(account)?.count ?? 0
  }

  /** Returns the sum of a wallet's withdrawals in transit, micros. */
  microsOf(account: number): number {
    return this.#sums.get(account)?.micros ?? 0
  }

  /** Opens a withdrawal; its money is in transit from here on. */
  open(terms: WithdrawalTerms): Withdrawal {
    assert(terms.amountMicros > 0 && terms.account >= 0, 'withdrawal: account and amount are valid')
    const row = new Withdrawal(terms)
    const isUsed = this.#rows.has(row.key) || this.#ended.has(row.key)
    assert(!isUsed, 'withdrawal: the id is new')
    this.#rows.set(row.key, row)
    this.#move(row, 1)
    this.#hash.note(row.cell)
    return row
  }

  /**
   * Advances the delivery of a withdrawal.
   * @param txHash 32 bytes; zeros keep the known hash.
   */
  moveOn(row: Withdrawal, delivery: DeliveryStatus, txHash: Uint8Array): void {
    assert(this.#rows.get(row.key) === row, 'withdrawal: its money is in transit')
    assert(delivery >= row.delivery, 'withdrawal: delivery only advances')
    row.delivery = delivery
    if (txHash.some((byte) => byte !== 0)) row.txHash = txHash
    this.#hash.note(row.cell)
  }

  /** Ends a withdrawal: its money has arrived, or the caller returns it. */
  end(row: Withdrawal, domain: DomainStatus): void {
    // A second end would return the money twice.
    assert(this.#rows.get(row.key) === row, 'withdrawal: its money is in transit')
    this.#rows.delete(row.key)
    this.#move(row, -1)
    this.#hash.drop(row.cell)
    if (this.#ended.size === this.#endedKept) {
      const [[oldestKey, oldest]] = this.#ended
      this.#ended.delete(oldestKey)
      this.#hash.drop(oldest.cell)
    }
    this.#remember(new EndedWithdrawal(row.id, this.#endedCount, domain, row.delivery))
  }

  save(sink: StateSink): void {
    sink.i32(this.#rows.size)
    for (const row of this.#rows.values()) row.save(sink)
    sink.i32(this.#ended.size)
    for (const ended of this.#ended.values()) ended.save(sink)
  }

  /** Reads what `save` wrote into an empty table. */
  load(reader: StateReader): void {
    for (let count = reader.i32(); count > 0; count--) {
      const row = this.open({
        id: reader.bytes(uuidBytes).slice(),
        account: reader.i32(),
        amountMicros: reader.f64(),
        destination: reader.bytes(addressBytes).slice(),
        createdMillis: reader.f64(),
      })
      this.moveOn(row, reader.i32() as DeliveryStatus, reader.bytes(txHashBytes).slice())
    }
    for (let count = reader.i32(); count > 0; count--) {
      const [id, number] = [reader.bytes(uuidBytes).slice(), reader.f64()]
      const domain = reader.i32() as DomainStatus
      this.#remember(new EndedWithdrawal(id, number, domain, reader.i32() as DeliveryStatus))
    }
  }

  #remember(ended: EndedWithdrawal): void {
    this.#ended.set(formatUuid(ended.id, 0), ended)
    this.#endedCount = ended.number + 1
    this.#hash.note(ended.cell)
  }

  #move({ account, amountMicros }: Withdrawal, sign: 1 | -1): void {
    this.#funds.move(Fund.InTransit, sign * amountMicros)
    const sums = this.#sums.get(account) ?? { count: 0, micros: 0 }
    sums.count += sign
    sums.micros += sign * amountMicros
    assert(
      sums.micros >= 0 && sums.micros <= moneyMicrosMax,
      'withdrawal: the sum in transit is a safe integer',
    )
    assert(
      (sums.count === 0) === (sums.micros === 0),
      'withdrawal: the sum is zero exactly when nothing is in transit',
    )
    if (sums.count > 0) this.#sums.set(account, sums)
    else this.#sums.delete(account)
  }
}
