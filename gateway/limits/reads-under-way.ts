import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'
import { addressKeyOf } from './address-limits.js'

/** Reads of one client address that other threads work on, and those that wait until one of them has ended. */
interface AddressReads {
  count: number
  readonly waiting: (() => void)[]
}

/** Reads of one address that other threads work on at a time: more than a page asks for at once. */
export const addressReadsMax = 16
/** Reads of one address that wait. */
export const waitingReadsMax = 256

/**
 * Bounds the reads that a gateway passes on to the read model and the history store, for each client address. Those of
 * one address are answered in turn, so that no other address waits for more than a few of them.
 */
export class ReadsUnderWay {
  readonly #addresses = new Map<string, AddressReads>()

  /**
   * Begins a read, now or when another one of its address has ended.
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

  /** Addresses that have reads under way. */
  get size(): number {
    return this.#addresses.size
  }

  #end(key: string, reads: AddressReads): void {
    reads.count--
    reads.waiting.shift()?.()
    if (reads.count === 0) this.#addresses.delete(key)
  }
}
