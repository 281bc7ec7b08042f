import { smallMemory } from '../../bench/event-script.js'
import { followEvents } from '../../bench/follow-events.js'
import { EventLogReader, EventLogReplay } from '../../engine/memory/event-log.js'
import { logReaders } from '../../engine/memory/exchange-memory.js'
import { createSigning } from '../../gateway/actions/signing.js'
import { engineConfigOf } from '../../gateway/config/engine-config.js'
import { takeIntoTables } from '../../gateway/kept-tables.js'
import { FloodCloses } from '../../gateway/limits/flood-close.js'
import { allocateLimitMemory } from '../../gateway/limits/limit-memory.js'
import { RequestLimits } from '../../gateway/limits/request-limits.js'
import { TurnBudget } from '../../gateway/limits/turn-budget.js'
import { AuctionBook } from '../../gateway/link/auction-book.js'
import { CommandPort } from '../../gateway/link/command-port.js'
import { ConnectionEnds } from '../../gateway/link/connection-ends.js'
import { EventWindow } from '../../gateway/link/event-window.js'
import type { GatewayContext } from '../../gateway/link/gateway-context.js'
import { InstrumentNames } from '../../gateway/link/instrument-names.js'
import { OutcomeLookups } from '../../gateway/link/outcome-lookups.js'
import { PerpList } from '../../gateway/link/perp-list.js'
import { ReadClient } from '../../gateway/link/reads.js'
import { RfqBook } from '../../gateway/link/rfq-book.js'
import { StepFills } from '../../gateway/link/step-fills.js'
import { QuoteBoard, silentQuotes } from '../../gateway/quotes/quote-board.js'
import { RowsAgainst } from '../../gateway/quotes/rows-against.js'
import { StreamHub } from '../../gateway/ws/stream-hub.js'
import { EventType } from '../../schemas/generated/events.js'
import { InstrumentChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { FakeCore } from './fake-core.js'
import { FakeSocket } from './fake-socket.js'
import { testBuild, testConfig, testExpiryMillis, testSymbol } from './gateway-rig.js'

const noQuote = { status: 200, body: '{"data":null}' }
const queryHistory = async (_path: string, _queryText: string) => noQuote
const longTurn = { turnMillisMax: Number.POSITIVE_INFINITY, ordersMin: 0, ordersBurst: 0 }

/** Stream hub with a clock and sockets of the test; the core's script provides the events. */
export function hubRig(values: Readonly<Record<string, string>> = {}) {
  const memory = smallMemory()
  const core = new FakeCore(memory)
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const port = new CommandPort(memory, 0)
  const config = testConfig(values)
  const quotes = new QuoteBoard()
  quotes.observer = { ...silentQuotes, onQuotes: (instrument) => hub.onQuotes(instrument) }
  const state = { millis: 1_000_000, engineAheadMillis: 0, seq: 0, queryHistory }
  const instruments = new InstrumentNames()
  const context: GatewayContext = {
    config,
    build: testBuild,
    tiers: engineConfigOf(config).tiers,
    port,
    connectionEnds: new ConnectionEnds(port),
    signing: createSigning(config.service.name, config.chainId),
    limits: new RequestLimits(allocateLimitMemory(), config),
    // A test is one long turn.
    ...{ turn: new TurnBudget(longTurn), arrivals: { earn: () => {}, spare: () => {} } },
    ...{ floods: new FloodCloses(), perps: new PerpList(), auctions: new AuctionBook() },
    rfqs: new RfqBook(),
    shown: new RowsAgainst(quotes, instrumentOf),
    names: { instruments, scenarios: [] },
    stepFills: new StepFills(instruments),
    eventWindow: new EventWindow(new EventLogReplay(memory.eventLog)),
    lastSeq: () => state.seq,
    ...{ isCaughtUp: () => false, catchUp: () => pump() },
    lookups: new OutcomeLookups(memory, 0),
    queryHistory: (path, queryText) => state.queryHistory(path, queryText),
    preflight: async () => Result.Accepted,
    nowMillis: () => state.millis + state.engineAheadMillis,
    socketMillis: () => state.millis,
    frameMicros: () => 0,
    ...{ onStreamed: () => {}, timestamps: memory },
    refusesWrites: () => null,
  }
  const reads = new ReadClient(memory, 0, log)
  const hub = new StreamHub(context, reads, quotes)
  reads.sink = hub
  /** Passes on the script's records as one run of events. */
  const pump = (isStepComplete = true) => {
    core.script.commit()
    followEvents(log, (event) => {
      state.seq = event.seq
      if (event.recordType === EventType.Outcome) {
        port.dispatch(event)
        hub.onOutcome(event)
      } else {
        takeIntoTables(context, event)
        hub.onEvent(event)
      }
    })
    context.eventWindow.note(state.seq, log.offset(), state.millis, isStepComplete)
    hub.onRunEnd(isStepComplete)
  }
  const connect = (query = '') => connected(hub, query)
  return { memory, reads, core, script: core.script, context, hub, quotes, pump, connect, state }
}

function connected(hub: StreamHub, query: string) {
  const socket = new FakeSocket()
  const peer = hub.open(socket, query)
  socket.onClose = () => peer.onClose()
  const say = (frame: object | string) => {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
    peer.onMessage(Buffer.from(text), false)
    return socket.take()
  }
  return { socket, peer, say }
}

/** Returns the instrument of a symbol in a listed rig. */
function instrumentOf(symbol: string): number {
  return [testSymbol, otherSymbol].indexOf(symbol)
}

/** Second instrument of a listed rig; the first is `testSymbol`. */
export const otherSymbol = 'BTC-20300628-100000-P'

/** Returns a hub rig that knows two instruments. */
export function listedRig(values: Readonly<Record<string, string>> = {}) {
  const rig = hubRig(values)
  rig.script.bootstrapBegin()
  rig.script.instrument(0, testSymbol, 0, testExpiryMillis, InstrumentChange.Bootstrap)
  rig.script.instrument(1, otherSymbol, 0, testExpiryMillis, InstrumentChange.Bootstrap)
  rig.script.bootstrapEnd()
  rig.pump()
  return rig
}
