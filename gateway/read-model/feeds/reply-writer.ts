import type { Doorbell } from '../../../engine/memory/doorbell.js'
import { alignedBytes } from '../../../engine/memory/layout.js'
import type { Ring } from '../../../engine/memory/ring.js'
import { writeAddress } from '../../../schemas/wallet.js'
import {
  type PushKind,
  pushBodyAt,
  pushBodyBytesAt,
  pushKindAt,
  pushSeqAt,
  pushSlotAt,
  pushSubjectAt,
  pushWalletAt,
  ReplyRecord,
  replyBodyAt,
  replyBodyBytesAt,
  replyPartBytesMax,
  replySlotAt,
  replyStatusAt,
} from '../../link/read-protocol.js'
import type { Answer } from '../../wire/answers.js'

/** Something published without being asked for; the body may be shared by the rings of several gateways. */
export interface Push {
  readonly kind: PushKind
  readonly slot: number
  readonly subject: number
  readonly seq: number
  /** Address text, '' on public channels. */
  readonly wallet: string
  readonly body: Uint8Array
}

interface Pending {
  readonly slot: number
  readonly status: number
  readonly push: Push | null
  readonly body: Uint8Array
  sentBytes: number
}

/** Writes answers and publications in parts into one gateway's reply ring; what finds no room waits in order. */
export class ReplyWriter {
  readonly #ring: Ring
  readonly #doorbell: Doorbell
  readonly #pending: Pending[] = []
  #uncommitted = 0

  constructor(ring: Ring, doorbell: Doorbell) {
    this.#ring = ring
    this.#doorbell = doorbell
  }

  /** Whether something waits for room: no more requests should be taken, nothing more be published. */
  get isBehind(): boolean {
    return this.#pending.length > 0
  }

  /** Queues an answer and writes as much of it as there is room for. */
  write(slot: number, answer: Answer): void {
    const body = Buffer.from(answer.body, 'utf8')
    this.#pending.push({ slot, status: answer.status, push: null, body, sentBytes: 0 })
    this.flush()
  }

  /** Queues a publication and writes as much of it as there is room for; `flush` lets it be seen. */
  push(push: Push): void {
    this.#pending.push({ slot: push.slot, status: 0, push, body: push.body, sentBytes: 0 })
    this.#writePending()
  }

  /**
   * Writes what waits, as far as there is room, and wakes the gateway. @returns the records
   * written since the last flush.
   */
  flush(): number {
    this.#writePending()
    const records = this.#uncommitted
    if (records === 0) return 0
    this.#uncommitted = 0
    this.#ring.commit()
    this.#doorbell.ring()
    return records
  }

  #writePending(): void {
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      const isWritten = next.push === null ? this.#replyPart(next) : this.#pushPart(next, next.push)
      if (!isWritten) return
      this.#uncommitted++
      if (next.sentBytes === next.body.length) this.#pending.shift()
    }
  }

  #replyPart(reply: Pending): boolean {
    const bytes = partBytes(reply)
    const type = isLastPart(reply, bytes) ? ReplyRecord.Last : ReplyRecord.Part
    const at = this.#ring.tryClaim(alignedBytes(replyBodyAt + bytes), type)
    if (at < 0) return false
    this.#ring.i32[(at + replySlotAt) >> 2] = reply.slot
    this.#ring.i32[(at + replyStatusAt) >> 2] = reply.status
    this.#ring.i32[(at + replyBodyBytesAt) >> 2] = bytes
    this.#writeBody(reply, at + replyBodyAt, bytes)
    return true
  }

  #pushPart(pending: Pending, push: Push): boolean {
    const bytes = partBytes(pending)
    const type = isLastPart(pending, bytes) ? ReplyRecord.PushLast : ReplyRecord.PushPart
    const at = this.#ring.tryClaim(alignedBytes(pushBodyAt + bytes), type)
    if (at < 0) return false
    const { i32, f64, u8 } = this.#ring
    i32[(at + pushSlotAt) >> 2] = push.slot
    i32[(at + pushKindAt) >> 2] = push.kind
    i32[(at + pushBodyBytesAt) >> 2] = bytes
    i32[(at + pushSubjectAt) >> 2] = push.subject
    f64[(at + pushSeqAt) >> 3] = push.seq
    if (!writeAddress(push.wallet, u8, at + pushWalletAt)) u8.fill(0, at + pushWalletAt, at + 52)
    this.#writeBody(pending, at + pushBodyAt, bytes)
    return true
  }

  #writeBody(pending: Pending, at: number, bytes: number): void {
    this.#ring.u8.set(pending.body.subarray(pending.sentBytes, pending.sentBytes + bytes), at)
    pending.sentBytes += bytes
  }
}

function partBytes({ body, sentBytes }: Pending): number {
  return Math.min(replyPartBytesMax, body.length - sentBytes)
}

function isLastPart({ body, sentBytes }: Pending, bytes: number): boolean {
  return sentBytes + bytes === body.length
}
