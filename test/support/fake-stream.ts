import type {
  PublishedMessage,
  StreamListener,
  StreamMessage,
} from '../../gateway/client/stream-types.js'

/** Stream whose messages and connections the test creates. */
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
    for (const listener of this.#listeners)
      listener.onMessage?.(message as unknown as PublishedMessage)
  }

  drop(): void {
    this.isConnected = false
    for (const listener of this.#listeners) listener.onDisconnected?.(1006, '')
  }

  connect(...resumed: readonly string[]): void {
    this.isConnected = true
    for (const listener of this.#listeners) listener.onConnected?.(2, new Set(resumed), false)
  }

  /** Connects to an exchange that was restored from a backup. */
  connectSetBack(): void {
    this.isConnected = true
    for (const listener of this.#listeners) listener.onConnected?.(2, new Set(), true)
  }
}

/** Lets all work run that is ready. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
