import type { MessageClass } from '../../schemas/interface/channels.js'
import type { Config } from '../config/config-schema.js'

/** Limits of the messages queued for one connection. */
export type OutboxLimits = Pick<Config['stream'], 'queueMessages' | 'queueBytes'>

export interface QueuedMessage {
  readonly bytes: Uint8Array
  readonly messageClass: MessageClass
  /** A newer message replaces a queued one with the same key; null: never. */
  readonly key: string | null
  readonly queuedMillis: number
}

const compactFrom = 1024

//  items:  [ gone | gone | m3 | -- | m5 | m6 ]     m6 replaced m4, which has the same key:
//                          ^head                   the slot stays empty until the head passes it

/** Messages queued for one connection, in order. */
export class Outbox {
  /** Messages waiting. */
  count = 0
  /** Encoded bytes of the queued messages. */
  bytes = 0
  readonly #limits: OutboxLimits
  #items: (QueuedMessage | null)[] = []
  #head = 0
  /** Positions of the queued messages that have a key. */
  readonly #indexes = new Map<string, number>()

  constructor(limits: OutboxLimits) {
    this.#limits = limits
  }

  /** Appends a message. @returns The exceeded limit, or null. */
  push(message: QueuedMessage): 'message_limit' | 'byte_limit' | null {
    const { key } = message
    if (key !== null) {
      const index = this.#indexes.get(key)
      if (index !== undefined) this.#clearSlot(index)
      this.#indexes.set(key, this.#items.length)
    }
    this.#items.push(message)
    this.count++
    this.bytes += message.bytes.length
    if (this.count > this.#limits.queueMessages) return 'message_limit'
    return this.bytes > this.#limits.queueBytes ? 'byte_limit' : null
  }

  /** Returns the oldest message without removing it. */
  oldest(): QueuedMessage | null {
    if (this.count === 0) return null
    while (this.#items[this.#head] === null) this.#head++
    return this.#items[this.#head]!
  }

  /** Removes and returns the oldest message. */
  shift(): QueuedMessage | null {
    const message = this.oldest()
    if (message === null) return null
    this.#clearSlot(this.#head++)
    if (message.key !== null) this.#indexes.delete(message.key)
    if (this.count === 0) this.clear()
    else if (this.#head >= compactFrom && this.#head * 2 > this.#items.length) this.#compact()
    return message
  }

  clear(): void {
    this.#items = []
    this.#head = 0
    this.count = 0
    this.bytes = 0
    this.#indexes.clear()
  }

  #clearSlot(index: number): void {
    const message = this.#items[index]!
    this.#items[index] = null
    this.count--
    this.bytes -= message.bytes.length
  }

  #compact(): void {
    this.#items = this.#items.slice(this.#head)
    for (const [key, index] of this.#indexes) this.#indexes.set(key, index - this.#head)
    this.#head = 0
  }
}
