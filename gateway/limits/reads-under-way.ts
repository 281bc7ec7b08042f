import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'
import { addressKeyOf } from './address-limits.js'

/** Reads of one client address: those in progress on other threads, and those that wait for one of them to finish. */
interface AddressReads {
  count: number
  readonly waiting: (() => void)[]
}

/** Most reads of one address in progress on other threads: more than a page sends at once. */
export const addressReadsMax = 16
/** Most waiting reads of one address. */
export const waitingReadsMax = 256

/**
 * Bounds the reads that a gateway forwards to the read model and the history store, per client address. Reads of one
 * address run one after another, so that no other address waits for more than a few of them.
 */
export class ReadsUnderWay {
  readonly #addresses = new Map<string, AddressReads>()

  /**
   * Begins a read, now or when another read of its address has finished.
   * @param begin calls its argument once, when the read is answered.
   * @returns `EngineBusy` when too many of its address wait.
   */
  take(address: Uint8Array, begin: (end: () => void) => void): Fault | null {
    const key = Buffer.from(addressKeyOf(address).bytes).toString('latin1')
    const reads = this.#addresses.get(key) ?? { count: 0, waiting: [] }
    this.#addresses.set(key, reads)
    const start = () => {
      reads.count++
      begin(() => this.#end(key, reads))
    }
    if (reads.count < addressReadsMax) start()
    else if (reads.waiting.length < waitingReadsMax) reads.waiting.push(start)
    else return new Fault(Result.EngineBusy)
    return null
  }

  /** Number of addresses with reads in progress. */
  get size(): number {
    return this.#addresses.size
  }

  #end(key: string, reads: AddressReads): void {
    reads.count--
    reads.waiting.shift()?.()
    if (reads.count === 0) this.#addresses.delete(key)
  }
}
