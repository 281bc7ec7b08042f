import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { InstrumentNames } from '../gateway/link/instrument-names.js'
import { LevelBooks } from '../gateway/read-model/views/level-book.js'
import type { Transport } from '../gateway/transport/transport.js'
import { loadTransports, type Transports } from '../gateway/transport/transports.js'
import { Audience } from '../gateway/ws/audience.js'
import { BookChannel } from '../gateway/ws/book-channel.js'
import { Session } from '../gateway/ws/session.js'
import { Side } from '../schemas/domain.js'
import { BareServer } from './bare-server.js'
import { type BenchResult, ratioOf, spread } from './measure/bench-result.js'

export interface FanOutBenchOptions {
  /** Book updates per run. */
  readonly updates: number
  readonly subscribers: number
  readonly runs: number
}

const clientsFile = join(import.meta.dirname, 'fan-out-clients.js')
const levels = 20
const usd = 1_000_000
const lots = 100_000_000
const limits = {
  queueMessages: 16_384,
  queueBytes: 8 * 1024 * 1024,
  queueAgeMillis: 5000,
  writeTimeoutMillis: 5000,
  pingMillis: 20_000,
  pongTimeoutMillis: 60_000,
  idleMillis: 300_000,
}

/**
 * Measures the fan-out of one change, in a book of 20 levels per side, to many subscribers of one gateway: encoding,
 * queueing and socket writes. In turns with it, the bare transport sends the same bytes to as many subscribers. The time
 * is that of the sending thread, from the change to the end of its event-loop turn. The next change is sent after all
 * subscribers have received the last one.
 */
export async function runFanOutBench(options: FanOutBenchOptions): Promise<BenchResult[]> {
  const { updates, subscribers, runs } = options
  const market = new BookMarket(await loadTransports('auto'))
  const bare = await BareServer.open()
  const urls = [`${await market.listen()}/ws`, await bare.listen()]
  const clients = fork(clientsFile, [String(subscribers), ...urls])
  try {
    await once(clients, 'message')
    const venue: number[] = []
    const published: number[] = []
    // The first run is a warm-up for both.
    for (let run = 0; run <= runs; run++) {
      const texts: Uint8Array[] = []
      const venueMillis = await sendAll(clients, updates, (i) => texts.push(market.change(i)))
      const bareMillis = await sendAll(clients, updates, (i) => bare.publish(texts[i]))
      if (run === 0) continue
      venue.push((updates * 1000) / venueMillis)
      published.push((updates * 1000) / bareMillis)
    }
    const extra = { loop: 'closed', subscribers, textBytes: market.textBytes }
    const ratio = {
      name: 'fan-out.book-update over publish',
      extra: { about: 'compared with the bare transport, which sends the same bytes' },
      threshold: { atLeast: 0.7 },
    }
    return [
      { name: 'fan-out.book-update', unit: 'updates/s', ...spread(venue), extra },
      { name: 'fan-out.publish', unit: 'updates/s', ...spread(published), extra },
      ratioOf(ratio, venue, published),
    ]
  } finally {
    const ended = once(clients, 'exit')
    clients.disconnect()
    await ended
    market.close()
    bare.close()
  }
}

/** @returns milliseconds of work of the sending thread, over all updates. */
async function sendAll(
  clients: ChildProcess,
  updates: number,
  send: (update: number) => void,
): Promise<number> {
  let millis = 0
  for (let update = 0; update < updates; update++) {
    const received = once(clients, 'message')
    const begin = performance.now()
    send(update)
    // Writes that the library defers to the end of a turn are done by the end of the next turn.
    await nextTurn()
    await nextTurn()
    millis += performance.now() - begin
    await received
  }
  return millis
}

/** Book, and the part of a gateway that publishes it. */
class BookMarket {
  readonly #sessions: Session[] = []
  readonly #audience = new Audience<Session>()
  readonly #books = new LevelBooks()
  readonly #transport: Transport
  readonly #channel: BookChannel
  #text: Uint8Array = new Uint8Array(0)
  #seq = 0

  constructor(transports: Transports) {
    const totals = { opened: 0, slowCloses: 0, framesSent: 0, bytesSent: 0 }
    const book = this.#books.of(0)
    for (let level = 0; level < levels; level++) {
      book.set(Side.Buy, (3000 - level) * usd, lots, 0, 0)
      book.set(Side.Sell, (3001 + level) * usd, lots, 0, 0)
    }
    this.#transport = transports.open({
      onCall: (call) => call.answer(404, '', []),
      refuseCall: () => null,
      onCallEnd: () => {},
      refuseStream: () => null,
      onStream: (socket) => this.#subscribe(new Session(socket, limits, totals, 0)),
    })
    this.#channel = new BookChannel({
      audience: this.#audience,
      names: new InstrumentNames(),
      books: this.#books,
      depth: 100,
      intervalMillis: 0,
      nowMillis: () => 0,
      deliver: (session, bytes) => {
        this.#text = bytes
        session.send(bytes, 'ordered_public', null, 0)
      },
      flush: () => {},
    })
  }

  get textBytes(): number {
    return this.#text.length
  }

  /** @returns the stream's address, without a path. */
  async listen(): Promise<string> {
    return `ws://127.0.0.1:${await this.#transport.listen('127.0.0.1', 0)}`
  }

  /** Changes one level and publishes it. @returns the message. */
  change(update: number): Uint8Array {
    const seq = ++this.#seq
    this.#books.of(0).set(Side.Buy, 3000 * usd, lots + (update % 7), seq, seq)
    this.#channel.onChange(0)
    this.#channel.onRunEnd(true, seq)
    for (const session of this.#sessions) session.flush(0)
    return this.#text
  }

  close(): void {
    this.#transport.close()
  }

  #subscribe(session: Session) {
    this.#sessions.push(session)
    this.#audience.add(session, null)
    return {
      onMessage: () => {},
      onPong: () => session.onPong(),
      onDrain: () => session.onDrain(0),
      onClose: () => session.onClosed(),
    }
  }
}
