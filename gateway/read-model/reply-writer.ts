import type { Doorbell } from '../../engine/memory/doorbell.js'
import { alignedBytes } from '../../engine/memory/layout.js'
import type { Ring } from '../../engine/memory/ring.js'
import type { Answer } from './answers.js'
import {
  ReplyRecord,
  replyBodyAt,
  replyBodyBytesAt,
  replyPartBytesMax,
  replySlotAt,
  replyStatusAt,
} from './read-protocol.js'

interface PendingReply {
  readonly slot: number
  readonly status: number
  readonly body: Uint8Array
  sentBytes: number
}

/** Writes answers in parts into one gateway's reply ring; what finds no room waits in order. */
export class ReplyWriter {
  readonly #ring: Ring
  readonly #doorbell: Doorbell
  readonly #pending: PendingReply[] = []

  constructor(ring: Ring, doorbell: Doorbell) {
    this.#ring = ring
    this.#doorbell = doorbell
  }

  /** Whether answers wait for room: no more requests should be taken. */
  get isBehind(): boolean {
    return this.#pending.length > 0
  }

  /** Queues an answer and writes as much of it as there is room for. */
  write(slot: number, answer: Answer): void {
    const body = Buffer.from(answer.body, 'utf8')
    this.#pending.push({ slot, status: answer.status, body, sentBytes: 0 })
    this.flush()
  }

  /**
   * Writes what waits, as far as there is room, and wakes the gateway. @returns the records
   * written.
   */
  flush(): number {
    let records = 0
    for (let reply = this.#pending[0]; reply !== undefined; reply = this.#pending[0]) {
      if (!this.#writePart(reply)) break
      records++
      if (reply.sentBytes === reply.body.length) this.#pending.shift()
    }
    if (records === 0) return 0
    this.#ring.commit()
    this.#doorbell.ring()
    return records
  }

  #writePart(reply: PendingReply): boolean {
    const bytes = Math.min(replyPartBytesMax, reply.body.length - reply.sentBytes)
    const isLast = reply.sentBytes + bytes === reply.body.length
    const type = isLast ? ReplyRecord.Last : ReplyRecord.Part
    const at = this.#ring.tryClaim(alignedBytes(replyBodyAt + bytes), type)
    if (at < 0) return false
    this.#ring.i32[(at + replySlotAt) >> 2] = reply.slot
    this.#ring.i32[(at + replyStatusAt) >> 2] = reply.status
    this.#ring.i32[(at + replyBodyBytesAt) >> 2] = bytes
    const part = reply.body.subarray(reply.sentBytes, reply.sentBytes + bytes)
    this.#ring.u8.set(part, at + replyBodyAt)
    reply.sentBytes += bytes
    return true
  }
}
