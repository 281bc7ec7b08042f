import type { ExchangeMemory } from '../../engine/memory/exchange-memory.js'
import { alignedBytes, recordTypeAt } from '../../engine/memory/layout.js'
import { Ring } from '../../engine/memory/ring.js'
import * as protocol from '../../gateway/link/read-protocol.js'
import { endpointOf, readModelKeys } from '../../gateway/wire/read-endpoints.js'

export interface Reply {
  readonly slot: number
  readonly status: number
  readonly text: string
  /** Number of records that the body came in. */
  readonly parts: number
}

/** The gateway's end of the read rings, for tests. */
export class ReadClient {
  readonly #requests: Ring
  readonly #replies: Ring
  readonly #partial = new Map<number, Uint8Array[]>()

  constructor(memory: ExchangeMemory, gateway = 0) {
    this.#requests = new Ring(memory.readRings[gateway]!, 'producer')
    this.#replies = new Ring(memory.replyRings[gateway]!, 'consumer')
  }

  /** Asks for `path?query`, with the position that the answer must include. */
  ask(slot: number, target: string, position = 0): void {
    const [path, query = ''] = target.split('?')
    const route = readModelKeys.findIndex((key) => endpointOf(key)[1] === path)
    const text = Buffer.from(query)
    const bytes = alignedBytes(protocol.readQueryAt + text.length)
    const at = this.#requests.tryClaim(bytes, route)
    if (at < 0) throw new Error('read ring is full')
    this.#requests.i32[(at + protocol.readRequestSlotAt) >> 2] = slot
    this.#requests.i32[(at + protocol.readPositionAt) >> 2] = position
    this.#requests.f64[(at + protocol.readWalletMillisAt) >> 3] = 0
    this.#requests.i32[(at + protocol.readQueryBytesAt) >> 2] = text.length
    this.#requests.u8.set(text, at + protocol.readQueryAt)
    this.#requests.commit()
  }

  /** The next whole reply, or null; parts of others are kept. */
  take(): Reply | null {
    for (let at = this.#replies.next(); at >= 0; at = this.#replies.next()) {
      const { i32, u8 } = this.#replies
      const slot = i32[(at + protocol.replySlotAt) >> 2]
      const bytes = i32[(at + protocol.replyBodyBytesAt) >> 2]
      const status = i32[(at + protocol.replyStatusAt) >> 2]
      const isLast = i32[(at + recordTypeAt) >> 2] === protocol.ReplyRecord.Last
      const bodyAt = at + protocol.replyBodyAt
      const parts = this.#partial.get(slot) ?? []
      parts.push(u8.slice(bodyAt, bodyAt + bytes))
      this.#partial.set(slot, parts)
      this.#replies.release()
      if (!isLast) continue
      this.#partial.delete(slot)
      return { slot, status, text: Buffer.concat(parts).toString('utf8'), parts: parts.length }
    }
    return null
  }
}
