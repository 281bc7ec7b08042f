import type { EventLogReader } from '../../engine/memory/event-log.js'
import { type ExchangeMemory, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { Ring } from '../../engine/memory/ring.js'
import { Wakeup } from '../../engine/memory/wakeup.js'
import { ReadRequest, type WatchRecord, WatchRequest } from '../../schemas/generated/reads.js'
import { PushPart, ReplyPart, ReplyRecord } from '../../schemas/generated/replies.js'
import { Envelope } from '../../schemas/interface/answer.js'
import { Result } from '../../schemas/results.js'
import { formatAddress, writeAddress } from '../../schemas/wallet.js'
import { refusedAnswer } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import type { PushKind } from './read-protocol.js'

/** Receives a complete answer of the read model. */
export type ReplyListener = (status: number, body: Uint8Array) => void

/** Message that the read model published. `PushPart` describes the fields. */
export interface Publication {
  readonly kind: PushKind
  readonly slot: number
  readonly subject: number
  readonly seq: number
  readonly wallet: string
  readonly body: Buffer
}

/** Receives publications, and flushes after a batch of them. */
export interface PublicationSink {
  onPublication(publication: Publication): void
  flush(): void
}

interface PendingRead {
  readonly listener: ReplyListener
  readonly arrivedMillis: number
  /** Parts received before the last one. */
  readonly parts: Buffer[]
}

// Longer than `min_seq` may delay a read (2 s).
const replyMillisMax = 10_000
const pendingMax = 16_384
const repliesPerTurnMax = 64
const slotMask = 0x7fffffff
const read = new ReadRequest()
const watch = new WatchRequest()
const reply = new ReplyPart()
const push = new PushPart()
const unanswered = refusedAnswer(Envelope.Bare, new Fault(Result.NotReady))

/** A gateway's connection to the read model: sends reads over a ring and assembles the replies. */
export class ReadClient {
  readonly #requests: Ring
  readonly #replies: Ring
  readonly #readModel: Wakeup
  readonly #log: EventLogReader
  readonly #pending = new Map<number, PendingRead>()
  /** Parts of an incomplete publication. */
  #parts: Buffer[] = []
  #slot = 0
  sink: PublicationSink | null = null

  /**
   * @param log Gives the durable offset, up to which any gateway may have published.
   */
  constructor(memory: ExchangeMemory, gateway: number, log: EventLogReader) {
    this.#requests = new Ring(memory.readRings[gateway], 'producer')
    this.#replies = new Ring(memory.replyRings[gateway], 'consumer')
    this.#readModel = new Wakeup(memory.wakeups, wakeupOf.readModel)
    this.#log = log
  }

  /** Number of unanswered reads. */
  get waiting(): number {
    return this.#pending.size
  }

  /**
   * Sends a read.
   * @param type Index of the endpoint in `viewReadKeys`.
   * @returns `EngineBusy` if there is no room.
   */
  ask(type: number, query: string, nowMillis: number, listener: ReplyListener): Fault | null {
    if (this.#pending.size === pendingMax) return new Fault(Result.EngineBusy)
    const text = Buffer.from(query)
    const ring = this.#requests
    const at = ring.tryClaim(ReadRequest.bytesWith(text.length), type)
    if (at < 0) return new Fault(Result.EngineBusy)
    // A slot number repeats after 2^31 reads, so a late reply finds no listener.
    const slot = this.#slot
    this.#slot = (slot + 1) & slotMask
    read.over(ring, at)
    read.slot = slot
    read.logOffset = this.#log.durableOffset()
    read.arrivedMillis = nowMillis
    read.queryBytes = text.length
    ring.u8.set(text, read.queryAt)
    ring.commit()
    this.#readModel.rouse()
    this.#pending.set(slot, { listener, arrivedMillis: nowMillis, parts: [] })
    return null
  }

  /**
   * Starts or ends a publication.
   * @param slot The snapshot repeats it. @param wallet '' for the options chain.
   * @returns False if there is no room; retry later.
   */
  watch(type: WatchRecord, slot: number, wallet: string): boolean {
    const ring = this.#requests
    if (!watch.claim(ring, type)) return false
    watch.slot = slot
    watch.logOffset = this.#log.durableOffset()
    if (wallet !== '') writeAddress(wallet, ring.u8, watch.walletAt)
    ring.commit()
    this.#readModel.rouse()
    return true
  }

  /** True if the ring has replies. */
  hasNext(): boolean {
    return this.#replies.hasNext()
  }

  /** Takes a bounded number of reply records. @returns Their number. */
  takeReplies(): number {
    let count = 0
    let hasPublished = false
    while (count < repliesPerTurnMax) {
      const at = this.#replies.next()
      if (at < 0) break
      const type = reply.over(this.#replies, at).recordType
      const isPush = type === ReplyRecord.PushPart || type === ReplyRecord.PushLast
      if (isPush) this.#takePush(push.of(reply), type === ReplyRecord.PushLast)
      else this.#take(reply)
      hasPublished ||= isPush
      count++
    }
    if (hasPublished) this.sink?.flush()
    if (count > 0) {
      this.#replies.release()
      // The read model may be waiting for room in the reply ring.
      this.#readModel.ring()
    }
    return count
  }

  /** Fails reads that the read model has not answered in time, with `503`. */
  expire(nowMillis: number): void {
    for (const [slot, pending] of this.#pending) {
      if (nowMillis - pending.arrivedMillis < replyMillisMax) return
      this.#pending.delete(slot)
      pending.listener(unanswered.status, Buffer.from(unanswered.body))
    }
  }

  #takePush(record: PushPart, isLast: boolean): void {
    const { u8, bodyAt, bodyBytes, kind, slot, subject, seq, walletAt } = record
    const part = Buffer.from(u8.subarray(bodyAt, bodyAt + bodyBytes)) // a copy
    this.#parts.push(part)
    if (!isLast) return
    const body = this.#parts.length === 1 ? part : Buffer.concat(this.#parts)
    this.#parts = []
    const wallet = formatAddress(u8, walletAt)
    this.sink?.onPublication({ kind: kind as PushKind, slot, subject, seq, wallet, body })
  }

  #take({ u8, slot, recordType, status, bodyAt, bodyBytes }: ReplyPart): void {
    const pending = this.#pending.get(slot)
    if (pending === undefined) return
    const part = Buffer.from(u8.subarray(bodyAt, bodyAt + bodyBytes)) // a copy
    if (recordType !== ReplyRecord.Last) {
      pending.parts.push(part)
      return
    }
    this.#pending.delete(slot)
    const { parts } = pending
    const body = parts.length === 0 ? part : Buffer.concat([...parts, part])
    pending.listener(status, body)
  }
}
