import type { ExchangeMemory } from '../../engine/memory/exchange-memory.js'
import { Ring } from '../../engine/memory/ring.js'
import { ReadRequest } from '../../schemas/generated/reads.js'
import { ReplyPart, ReplyRecord } from '../../schemas/generated/replies.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import { viewReadKeys } from '../../schemas/interface/reads.js'

export interface Reply {
  readonly slot: number
  readonly status: number
  readonly text: string
  /** Number of records of the body. */
  readonly parts: number
}

const reply = new ReplyPart()

/** Gateway end of the read rings, for tests. */
export class ReadClient {
  readonly #requests: Ring
  readonly #replies: Ring
  readonly #partial = new Map<number, Uint8Array[]>()

  constructor(memory: ExchangeMemory, gateway = 0) {
    this.#requests = new Ring(memory.readRings[gateway]!, 'producer')
    this.#replies = new Ring(memory.replyRings[gateway]!, 'consumer')
  }

  /** Sends the query `path?query`, with the log offset that the answer must include. */
  ask(slot: number, target: string, logOffset = 0): void {
    // The text after the path may be a body, which may contain question marks.
    const [path, ...rest] = target.split('?')
    const query = rest.join('?')
    const route = viewReadKeys.findIndex((key) => endpointOf(key)[1] === path)
    const text = Buffer.from(query)
    const at = this.#requests.tryClaim(ReadRequest.bytesWith(text.length), route)
    if (at < 0) throw new Error('read ring is full')
    const read = new ReadRequest().over(this.#requests, at)
    Object.assign(read, { slot, logOffset, arrivedMillis: 0, queryBytes: text.length })
    read.u8.set(text, read.queryAt)
    this.#requests.commit()
  }

  /** Returns the next complete reply, or null; keeps parts of others. */
  take(): Reply | null {
    for (let at = this.#replies.next(); at >= 0; at = this.#replies.next()) {
      const { u8, slot, status, recordType, bodyAt, bodyBytes } = reply.over(this.#replies, at)
      const parts = this.#partial.get(slot) ?? []
      parts.push(u8.slice(bodyAt, bodyAt + bodyBytes))
      this.#partial.set(slot, parts)
      this.#replies.release()
      if (recordType !== ReplyRecord.Last) continue
      this.#partial.delete(slot)
      return { slot, status, text: Buffer.concat(parts).toString('utf8'), parts: parts.length }
    }
    return null
  }
}
