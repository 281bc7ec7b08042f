import { type ExchangeMemory, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { Ring } from '../../engine/memory/ring.js'
import { Wakeup } from '../../engine/memory/wakeup.js'
import { FoundReply, LookupRequest } from '../../schemas/generated/lookups.js'
import { viewsOf } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import { writeAddress } from '../../schemas/wallet.js'
import { Fault } from '../wire/fault.js'
import { SeqWaits } from './seq-waits.js'

/** Receives the stored result of an action; null if the core did not answer. */
export type FoundListener = (found: FoundReply | null) => void

interface Pending {
  readonly listener: FoundListener
  readonly requestMillis: number
}

const pendingMax = 4096
const answerMillisMax = 10_000
const slotMask = 0x7fffffff
const lookup = new LookupRequest()
const found = new FoundReply()
const viewOf = (bytes: Uint8Array) => new FoundReply().over(viewsOf(bytes.buffer as ArrayBuffer), 0)

/** Queries the core for the results of signed actions, separately from the commands and without side effects. */
export class OutcomeLookups {
  readonly #requests: Ring
  readonly #replies: Ring
  readonly #core: Wakeup
  readonly #pending = new Map<number, Pending>()
  /** Requests that wait until this gateway has published a sequence. */
  readonly waits = new SeqWaits()
  #slot = 0

  constructor(memory: ExchangeMemory, gateway: number) {
    this.#requests = new Ring(memory.lookupRings[gateway]!, 'producer')
    this.#replies = new Ring(memory.foundRings[gateway]!, 'consumer')
    this.#core = new Wakeup(memory.wakeups, wakeupOf.core)
  }

  /** Number of unanswered lookups, and of reads that wait for a sequence. */
  get waiting(): number {
    return this.#pending.size + this.waits.count
  }

  /**
   * Sends a lookup.
   * @param wallet Lower-case text. @param digest 32 bytes.
   * @returns `EngineBusy` if there is no room.
   */
  ask(
    wallet: string,
    digest: Uint8Array,
    nowMillis: number,
    listener: FoundListener,
  ): Fault | null {
    if (this.#pending.size >= pendingMax || !lookup.claim(this.#requests)) {
      return new Fault(Result.EngineBusy)
    }
    const slot = this.#slot
    this.#slot = (slot + 1) & slotMask
    lookup.slot = slot
    writeAddress(wallet, lookup.u8, lookup.walletAt)
    lookup.u8.set(digest, lookup.digestAt)
    this.#requests.commit()
    this.#core.ring()
    this.#pending.set(slot, { listener, requestMillis: nowMillis })
    return null
  }

  hasNext(): boolean {
    return this.#replies.hasNext()
  }

  /** Delivers all available answers. @returns Their number. */
  take(): number {
    let count = 0
    for (let at = this.#replies.next(); at >= 0; at = this.#replies.next()) {
      count++
      found.over(this.#replies, at)
      const pending = this.#pending.get(found.slot)
      this.#pending.delete(found.slot)
      // Copied, because it is used after the record is released.
      pending?.listener(viewOf(new Uint8Array(found.u8.subarray(at, at + FoundReply.bytes))))
    }
    if (count > 0) this.#replies.release()
    return count
  }

  /** Fails lookups that the core has not answered in time. */
  expire(nowMillis: number): void {
    this.waits.tick(nowMillis)
    for (const [slot, { listener, requestMillis }] of this.#pending) {
      if (nowMillis - requestMillis < answerMillisMax) return
      this.#pending.delete(slot)
      listener(null)
    }
  }
}
