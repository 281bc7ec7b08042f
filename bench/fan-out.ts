import { InstrumentNames } from '../gateway/instrument-names.js'
import { LevelBooks } from '../gateway/read-model/level-book.js'
import type { StreamSocket } from '../gateway/transport.js'
import { Audience } from '../gateway/ws/audience.js'
import { BookChannel } from '../gateway/ws/book-channel.js'
import { Session } from '../gateway/ws/session.js'
import { Side } from '../schemas/domain.js'
import { type BenchResult, spread } from './bench-result.js'

export interface FanOutBenchOptions {
  /** Book updates per run. */
  readonly updates: number
  readonly subscribers: number
  readonly runs: number
}

const levels = 20
const usd = 1_000_000
const lots = 100_000_000
const limits = {
  messagesMax: 16_384,
  bytesMax: 8 * 1024 * 1024,
  queueAgeMillis: 5000,
  writeTimeoutMillis: 5000,
  pingMillis: 20_000,
  pongMillis: 60_000,
}

/**
 * One change of a book of 20 levels a side to many subscribers of one gateway: encoded once, queued for each, and
 * handed to a socket that takes everything at once. What the kernel costs is not in it.
 */
export function runFanOutBench(options: FanOutBenchOptions): BenchResult[] {
  const { updates, subscribers, runs } = options
  const nanos: number[] = []
  let bytes = 0
  for (let run = 0; run < runs; run++) {
    const venue = venueOf(subscribers)
    const begin = process.hrtime.bigint()
    for (let update = 1; update <= updates; update++) venue.change(update)
    nanos.push(Number(process.hrtime.bigint() - begin) / updates / subscribers)
    bytes = venue.sentBytes()
  }
  const extra = `${subscribers} subscribers, ${updates} updates, ${bytes} bytes sent, closed-loop`
  return [{ name: 'fan-out.book-update', unit: 'ns/subscriber', ...spread(nanos), extra }]
}

function venueOf(subscribers: number) {
  const totals = { opened: 0, slowCloses: 0, framesSent: 0, bytesSent: 0 }
  const audience = new Audience<Session>()
  const sessions: Session[] = []
  for (let index = 0; index < subscribers; index++) {
    const session = new Session(new OpenSocket(), limits, totals, 0)
    sessions.push(session)
    audience.add(session, null)
  }
  const names = new InstrumentNames()
  const books = new LevelBooks()
  const book = books.of(0)
  for (let level = 0; level < levels; level++) {
    book.set(Side.Buy, (3000 - level) * usd, lots, 0, 0)
    book.set(Side.Sell, (3001 + level) * usd, lots, 0, 0)
  }
  const channel = new BookChannel({
    audience,
    names,
    books,
    depth: 100,
    intervalMillis: 0,
    nowMillis: () => 0,
    deliver: (session, bytes) => session.send(bytes, 'ordered_public', null, 0),
    flush: () => {},
  })
  const change = (seq: number) => {
    book.set(Side.Buy, 3000 * usd, lots + (seq % 7), seq, seq)
    channel.onChange(0)
    channel.onRunEnd(true, seq)
    for (const session of sessions) session.flush(0)
  }
  return { change, sentBytes: () => totals.bytesSent }
}

/** Takes everything, keeps nothing. */
class OpenSocket implements StreamSocket {
  readonly address = new Uint8Array(4)

  send(): void {}

  bufferedBytes(): number {
    return 0
  }

  ping(): void {}

  close(): void {}

  cork(run: () => void): void {
    run()
  }
}
