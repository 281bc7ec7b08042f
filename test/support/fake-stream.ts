import type {
  StreamListener,
  StreamMessage,
  ToldMessage,
} from '../../gateway/client/stream-types.js'

/** A stream whose messages and connections a test makes. */
export class FakeStream {
  isConnected = true
  readonly subscribed: string[] = []
  readonly #listeners = new Set<StreamListener>()

  listen(listener: StreamListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  subscribe(channel: string): () => void {
    this.subscribed.push(channel)
    return () => {
      this.subscribed.splice(this.subscribed.indexOf(channel), 1)
    }
  }

  async answered(): Promise<void> {}

  say(message: StreamMessage): void {
    for (const listener of this.#listeners) listener.onMessage?.(message as unknown as ToldMessage)
  }

  drop(): void {
    this.isConnected = false
    for (const listener of this.#listeners) listener.onDisconnected?.(1006, '')
  }

  connect(...resumed: readonly string[]): void {
    this.isConnected = true
    for (const listener of this.#listeners) listener.onConnected?.(2, new Set(resumed), false)
  }

  /** To an exchange that was set up from a backup. */
  connectSetBack(): void {
    this.isConnected = true
    for (const listener of this.#listeners) listener.onConnected?.(2, new Set(), true)
  }
}

/** Lets everything that waits for nothing run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
