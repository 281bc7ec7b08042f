import assert from 'node:assert/strict'
import { EventLogReader } from '../engine/memory/event-log.js'
import { logReaders } from '../engine/memory/exchange-memory.js'
import { GatewayQuotes } from '../gateway/providers/gateway-quotes.js'
import type { QuotableInstruments } from '../gateway/providers/quotable-instruments.js'
import { QuoteFrame, quoteUpdate, scopedUpdate } from '../gateway/providers/quote-frame.js'
import type { QuoteBoard } from '../gateway/quotes/quote-board.js'
import { QuoteViews } from '../gateway/read-model/views/quote-views.js'
import { InstrumentState } from '../schemas/domain.js'
import { InstrumentEvent } from '../schemas/generated/events.js'
import { InstrumentChange } from '../schemas/record-values.js'
import { EventScript, smallMemory } from './event-script.js'
import { followEvents } from './follow-events.js'

/** Quote row in the form that a provider sends. */
export type WireRow = Readonly<Record<string, unknown>>

const expiryMillis = Date.UTC(2030, 5, 28, 8)
const noHints = new Int32Array(0)

/** Returns the symbol of an instrument. */
export function symbolAt(instrument: number): string {
  return `BTC-20300628-${1000 * (instrument + 1)}-C`
}

/** Returns a quote row of an instrument. */
export function wireRow(instrument: number, bid: string, ask = '0', size = '1'): WireRow {
  return {
    instrument: symbolAt(instrument),
    ...{ bid_price: bid, ask_price: ask, max_bid_size: size, max_ask_size: size },
  }
}

/** Reads a frame to its end, without yielding. */
export function readWhole(
  frame: QuoteFrame,
  instruments: QuotableInstruments,
  hints: Int32Array = noHints,
): QuoteFrame {
  while (!frame.isRead) frame.read(7, instruments, () => hints)
  return frame
}

/** Returns the text of a snapshot, of all rows or of one scope. */
export function snapshotText(rows: readonly unknown[], scope = ''): string {
  const named = scope === '' ? { type: quoteUpdate } : { type: scopedUpdate, scope }
  return JSON.stringify({ ...named, quotes: rows })
}

/** Creates the quotes of several gateways and a read model over real logs. Calls replace sockets and threads. */
export function quoteRig(gatewayCount = 2, instrumentCount = 4, ttlMillis = 60_000) {
  const memory = smallMemory(gatewayCount)
  const changed: number[][] = []
  const gateways = memory.quoteLogs.map((_, index) => {
    const heard: number[] = (changed[index] = [])
    return new GatewayQuotes(memory, index, ttlMillis, (instrument) => heard.push(instrument))
  })
  const views = new QuoteViews(
    memory,
    (instrument) => gateways[0]!.instruments.isOver(instrument),
    () => {},
  )
  const script = new EventScript(memory, 1_000_000)
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const event = new InstrumentEvent()
  const tell = (instrument: number, state: InstrumentState) => {
    script.instrument(
      ...([instrument, symbolAt(instrument), 0, expiryMillis] as const),
      ...([InstrumentChange.Created, state] as const),
    )
    script.commit()
    followEvents(log, (record) => {
      for (const quotes of gateways) quotes.onInstrument(event.of(record))
    })
  }
  for (let i = 0; i < instrumentCount; i++) tell(i, InstrumentState.Active)
  const publish = (gateway: number, ...snapshot: Snapshot) =>
    publishOn(gateways[gateway]!, ...snapshot)
  /** Lets all readers read until none has anything new. */
  const settle = () => {
    for (let quiet = 0; quiet < 2; ) {
      let count = views.take()
      for (const quotes of gateways) count += quotes.take()
      quiet = count === 0 ? quiet + 1 : 0
    }
  }
  const boards = () => [...gateways.map(({ board }) => board), views.board]
  /** Returns the rows that all threads show, which must be the same. */
  const shown = () => {
    settle()
    const [first, ...others] = boards().map(shownOn)
    for (const other of others) assert.deepEqual(other, first)
    return first!
  }
  return { memory, gateways, views, changed, tell, publish, settle, boards, shown }
}

/** Snapshot of a wallet. `between` is called between two of its rows. */
type Snapshot = [
  wallet: string,
  rows: readonly unknown[],
  how?: { readonly scope?: string; readonly millis?: number; readonly between?: () => void },
]

function publishOn({ service, instruments }: GatewayQuotes, ...[wallet, rows, how]: Snapshot) {
  const { scope = '', millis = 1000, between = () => {} } = how ?? {}
  const frame = new QuoteFrame(Buffer.from(snapshotText(rows, scope)), millis)
  readWhole(frame, instruments, service.instrumentsOf(wallet, scope))
  assert.equal(frame.fault, null)
  const publishing = service.begin(wallet, scope, frame)
  while (!service.advance(publishing, 1)) {
    service.commit()
    between()
  }
  service.commit()
  return frame
}

/** Returns the rows of a board as `<instrument> <wallet> <bid>/<ask>`, sorted. */
export function shownOn(board: QuoteBoard): string[] {
  const rows = [...board.quoted()].flatMap((instrument) => [...board.rowsOf(instrument)])
  return rows
    .map(
      ({ instrument, scope, bidPrice, askPrice }) =>
        `${instrument} ${scope.wallet} ${bidPrice}/${askPrice}`,
    )
    .sort()
}
