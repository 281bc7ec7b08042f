import type { Doorbell } from '../../../engine/memory/doorbell.js'
import type { Ring } from '../../../engine/memory/ring.js'
import { PushPart, ReplyPart, ReplyRecord } from '../../../schemas/generated/replies.js'
import { addressBytes, writeAddress } from '../../../schemas/wallet.js'
import { type PushKind, replyPartBytesMax } from '../../link/read-protocol.js'
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

const reply = new ReplyPart()
const part = new PushPart()

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

  #replyPart(pending: Pending): boolean {
    const bytes = partBytes(pending)
    const type = isLastPart(pending, bytes) ? ReplyRecord.Last : ReplyRecord.Part
    if (!reply.claim(this.#ring, type, ReplyPart.bytesWith(bytes))) return false
    reply.slot = pending.slot
    reply.status = pending.status
    reply.bodyBytes = bytes
    this.#writeBody(pending, reply.bodyAt, bytes)
    return true
  }

  #pushPart(pending: Pending, { slot, kind, subject, seq, wallet }: Push): boolean {
    const bytes = partBytes(pending)
    const type = isLastPart(pending, bytes) ? ReplyRecord.PushLast : ReplyRecord.PushPart
    if (!part.claim(this.#ring, type, PushPart.bytesWith(bytes))) return false
    part.slot = slot
    part.kind = kind
    part.bodyBytes = bytes
    part.subject = subject
    part.seq = seq
    const { u8, walletAt } = part
    if (!writeAddress(wallet, u8, walletAt)) u8.fill(0, walletAt, walletAt + addressBytes)
    this.#writeBody(pending, part.bodyAt, bytes)
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
