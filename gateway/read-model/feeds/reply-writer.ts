import type { Ring } from '../../../engine/memory/ring.js'
import type { Wakeup } from '../../../engine/memory/wakeup.js'
import { PushPart, ReplyPart, ReplyRecord } from '../../../schemas/generated/replies.js'
import { addressBytes, writeAddress } from '../../../schemas/wallet.js'
import { type PushKind, replyPartBytesMax } from '../../link/read-protocol.js'
import type { Answer } from '../../wire/answers.js'

/** Unsolicited publication. Its body may be shared by the rings of several gateways. */
export interface Push {
  readonly kind: PushKind
  readonly slot: number
  readonly subject: number
  readonly seq: number
  /** Address text; '' on public channels. */
  readonly wallet: string
  readonly body: Uint8Array
}

/** Answer or publication. */
type Message = Push | (Pick<Push, 'slot' | 'body'> & { readonly status: number })

interface Pending {
  readonly message: Message
  sentBytes: number
}

const reply = new ReplyPart()
const part = new PushPart()

/** Writes answers and publications in parts to one gateway's reply ring. Queues, in order, what finds no room. */
export class ReplyWriter {
  readonly #ring: Ring
  readonly #wakeup: Wakeup
  readonly #pending: Pending[] = []
  #uncommitted = 0

  constructor(ring: Ring, wakeup: Wakeup) {
    this.#ring = ring
    this.#wakeup = wakeup
  }

  /** True if parts are queued. Then no more requests should be taken, and nothing more be published. */
  get isLagging(): boolean {
    return this.#pending.length > 0
  }

  /** Queues an answer and writes as much of it as fits. */
  write(slot: number, answer: Answer): void {
    const body = Buffer.from(answer.body, 'utf8')
    this.#pending.push({ message: { slot, status: answer.status, body }, sentBytes: 0 })
    this.flush()
  }

  /** Queues a publication and writes as much of it as fits. `flush` makes it visible. */
  push(push: Push): void {
    this.#pending.push({ message: push, sentBytes: 0 })
    this.#writePending()
  }

  /**
   * Writes queued parts as far as they fit, and wakes the gateway. @returns The number of records since the last flush.
   */
  flush(): number {
    this.#writePending()
    const records = this.#uncommitted
    if (records === 0) return 0
    this.#uncommitted = 0
    this.#ring.commit()
    this.#wakeup.ring()
    return records
  }

  #writePending(): void {
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      const { message, sentBytes } = next
      const { body } = message
      const bytes = Math.min(replyPartBytesMax, body.length - sentBytes)
      const isLast = sentBytes + bytes === body.length
      const bodyAt =
        'kind' in message
          ? this.#claimPush(message, bytes, isLast)
          : this.#claimReply(message, bytes, isLast)
      if (bodyAt < 0) return
      this.#ring.u8.set(body.subarray(sentBytes, sentBytes + bytes), bodyAt)
      next.sentBytes += bytes
      this.#uncommitted++
      if (isLast) this.#pending.shift()
    }
  }

  /**
   * @returns Offset of the body's part; negative if there is no room.
   */
  #claimReply({ slot, status }: Exclude<Message, Push>, bytes: number, isLast: boolean): number {
    const type = isLast ? ReplyRecord.Last : ReplyRecord.Part
    if (!reply.claim(this.#ring, type, ReplyPart.bytesWith(bytes))) return -1
    reply.slot = slot
    reply.status = status
    reply.bodyBytes = bytes
    return reply.bodyAt
  }

  #claimPush({ slot, kind, subject, seq, wallet }: Push, bytes: number, isLast: boolean): number {
    const type = isLast ? ReplyRecord.PushLast : ReplyRecord.PushPart
    if (!part.claim(this.#ring, type, PushPart.bytesWith(bytes))) return -1
    part.slot = slot
    part.kind = kind
    part.bodyBytes = bytes
    part.subject = subject
    part.seq = seq
    const { u8, walletAt } = part
    if (!writeAddress(wallet, u8, walletAt)) u8.fill(0, walletAt, walletAt + addressBytes)
    return part.bodyAt
  }
}
