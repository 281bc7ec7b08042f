import type { MessageClass } from '../../schemas/interface/channels.js'
import type { Config } from '../config/config-schema.js'

/** Limits of what may wait for one connection. */
export type OutboxLimits = Pick<Config['stream'], 'queueMessages' | 'queueBytes'>

export interface QueuedMessage {
  readonly bytes: Uint8Array
  readonly messageClass: MessageClass
  /** Messages of one key overtake each other while they wait; null: never. */
  readonly key: string | null
  readonly queuedMillis: number
}

const compactFrom = 1024

//  items:  [ gone | gone | m3 | -- | m5 | m6 ]     m4 was overtaken by m6, which has its key:
//                          ^head                   its place stays empty until the head passes it

/** Messages that wait for one connection, in order. */
export class Outbox {
  /** Messages waiting. */
  count = 0
  /** Their encoded bytes. */
  bytes = 0
  readonly #limits: OutboxLimits
  #items: (QueuedMessage | null)[] = []
  #head = 0
  /** Places of the keyed messages that wait. */
  readonly #places = new Map<string, number>()

  constructor(limits: OutboxLimits) {
    this.#limits = limits
  }

  /** Appends a message. @returns which limit it broke, or null. */
  push(message: QueuedMessage): 'message_limit' | 'byte_limit' | null {
    const { key } = message
    if (key !== null) {
      const place = this.#places.get(key)
      if (place !== undefined) this.#forget(place)
      this.#places.set(key, this.#items.length)
    }
    this.#items.push(message)
    this.count++
    this.bytes += message.bytes.length
    if (this.count > this.#limits.queueMessages) return 'message_limit'
    return this.bytes > this.#limits.queueBytes ? 'byte_limit' : null
  }

  /** The oldest message, which stays. */
  oldest(): QueuedMessage | null {
    if (this.count === 0) return null
    while (this.#items[this.#head] === null) this.#head++
    return this.#items[this.#head]!
  }

  /** Takes the oldest message out. */
  shift(): QueuedMessage | null {
    const message = this.oldest()
    if (message === null) return null
    this.#forget(this.#head++)
    if (message.key !== null) this.#places.delete(message.key)
    if (this.count === 0) this.clear()
    else if (this.#head >= compactFrom && this.#head * 2 > this.#items.length) this.#compact()
    return message
  }

  clear(): void {
    this.#items = []
    this.#head = 0
    this.count = 0
    this.bytes = 0
    this.#places.clear()
  }

  #forget(place: number): void {
    const message = this.#items[place]!
    this.#items[place] = null
    this.count--
    this.bytes -= message.bytes.length
  }

  #compact(): void {
    this.#items = this.#items.slice(this.#head)
    for (const [key, place] of this.#places) this.#places.set(key, place - this.#head)
    this.#head = 0
  }
}
