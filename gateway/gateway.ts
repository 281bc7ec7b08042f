import { setTimeout as sleep } from 'node:timers/promises'
import { CounterName, Counters } from '../engine/memory/counters.js'
import { EngineTime } from '../engine/memory/engine-time.js'
import { EventLogReader, EventLogReplay } from '../engine/memory/event-log.js'
import {
  type ExchangeMemory,
  flagWords,
  logReaders,
  wakeupOf,
} from '../engine/memory/exchange-memory.js'
import { Latencies } from '../engine/memory/latencies.js'
import { steadyMillis } from '../engine/memory/steady-clock.js'
import { Wakeup } from '../engine/memory/wakeup.js'
import { threadId } from '../engine/threads/pin-thread.js'
import { type AnyEvent, EventType } from '../schemas/generated/events.js'
import type { Component } from '../schemas/interface/venue.js'
import { Result } from '../schemas/results.js'
import { createSigning, type Signing } from './actions/signing.js'
import type { Config } from './config/config-schema.js'
import { engineConfigOf } from './config/engine-config.js'
import { documentHandlers } from './documents/served-documents.js'
import { showGatewayCounts } from './gateway-counts.js'
import { acknowledgementKind, millisBetween, streamPlaceKind } from './http/acknowledgement.js'
import { addressRefusal, tooMany } from './http/address-refusal.js'
import { AnswerGate } from './http/answer-gate.js'
import { answerFault } from './http/http-answer.js'
import { Router } from './http/router.js'
import { type HistoryReads, servedPaths } from './http/served-paths.js'
import { componentOf } from './http/service.js'
import { clearTables, takeIntoTables } from './kept-tables.js'
import { addressKeyOf } from './limits/address-limits.js'
import { ArrivalSource, Arrivals, type SourceOptions } from './limits/arrivals.js'
import {
  controlFramesMax,
  type FloodCause,
  FloodCloses,
  unparsedFramesMax,
} from './limits/flood-close.js'
import type { LimitMemory } from './limits/limit-memory.js'
import { MinuteCount } from './limits/minute-count.js'
import { RequestLimits } from './limits/request-limits.js'
import { SocketCounts, socketLimitsOf } from './limits/socket-counts.js'
import { TurnBudget } from './limits/turn-budget.js'
import {
  providerWaitingBytesMax,
  waitingBytesMax,
  waitingCallsMax,
  waitingFramesMax,
} from './limits/waiting-limits.js'
import { AuctionBook } from './link/auction-book.js'
import { requestTables, type Tables, visitEvents } from './link/catch-up.js'
import { CommandPort } from './link/command-port.js'
import { ConnectionEnds } from './link/connection-ends.js'
import { EventPump, type EventSink } from './link/event-pump.js'
import { EventWindow } from './link/event-window.js'
import type { BuildInfo, GatewayContext } from './link/gateway-context.js'
import { InstrumentNames } from './link/instrument-names.js'
import { OutcomeLookups } from './link/outcome-lookups.js'
import { PerpList } from './link/perp-list.js'
import { ReadClient } from './link/reads.js'
import { RfqBook } from './link/rfq-book.js'
import { scenarioNames } from './link/scenario-names.js'
import { StepFills } from './link/step-fills.js'
import { GatewayQuotes } from './providers/gateway-quotes.js'
import { ProviderHub } from './providers/provider-hub.js'
import { LiveStatus } from './read-model/views/live-status.js'
import { VenueHealth } from './read-model/views/venue-health.js'
import { ClientAddresses } from './transport/client-address.js'
import { internalClose, lappedClose, shutdownClose } from './transport/close-codes.js'
import { Compressor } from './transport/compressor.js'
import type {
  HttpCall,
  StreamPeer,
  StreamSocket,
  Transport,
  TransportHandlers,
} from './transport/transport.js'
import type { Transports } from './transport/transports.js'
import type { Answer } from './wire/answers.js'
import { Fault } from './wire/fault.js'
import { StreamHub } from './ws/stream-hub.js'

export interface GatewayOptions {
  readonly memory: ExchangeMemory
  readonly gatewayIndex: number
  readonly config: Config
  readonly build: BuildInfo
  /** Port that `holdPort` has chosen for all gateways. */
  readonly port: number
  readonly transports: Transports
  readonly history: HistoryReads
  /** Counters that all gateways share. */
  readonly limits: LimitMemory
  /** Time of day; default: engine time. */
  readonly nowMillis?: () => number
  /** Replaces the check of the event log. False leaves unknown signers to the core. */
  readonly isCaughtUp?: () => boolean
  /** Preflight of the rail; absent: every withdrawal fails. */
  readonly preflight?: GatewayContext['preflight']
  readonly log: (line: string) => void
  /** Called if the gateway cannot continue. Its sockets are closed already. */
  readonly onFailed: (reason: string) => void
}

const readyPollMillis = 5
const tickMillis = 250
const nanosPerMilli = 1_000_000
const drainMillisMax = 5000
// Long enough for a thread whose core runs others, short compared with the wait of a client.
const turnMillisMax = 20
const turnOrdersMin = 128
const turnOrdersBurst = 1024
// The time of a few signatures: the requests of a turn reach the core in a few batches, and the last one does not wait.
const ringGapMillis = 0.2
// Time for the last answers to reach the kernel before their sockets are closed.
const lingerMillis = 20
const okStatus = 200
const retryMillis = 100
// No valid frame is shorter than `{"type":""}`. Many short frames may arrive at once, so those that are too short to be
// valid count before they are read.
const frameBytesMin = 11

/**
 * Work of one gateway thread: HTTP and WebSocket on a shared port, commands to the core, reads to the read model, and
 * publishing of the event log on the stream.
 */
export class Gateway implements EventSink, TransportHandlers {
  readonly #options: GatewayOptions
  readonly #flags: Int32Array
  readonly #port: CommandPort
  readonly #connectionEnds: ConnectionEnds
  readonly #reads: ReadClient
  readonly #lookups: OutcomeLookups
  readonly #pump: EventPump
  readonly #log: EventLogReader
  readonly #context: GatewayContext
  #hub: StreamHub
  readonly #quotes: GatewayQuotes
  readonly #providers: ProviderHub
  readonly #router: Router
  readonly #status: LiveStatus
  #transport: Transport
  readonly #latencies: Latencies
  readonly #gate: AnswerGate
  /** Arrival time of the frame that is being read. */
  #frameMicros = 0
  readonly #counters: Counters
  readonly #signing: Signing
  readonly #limits: RequestLimits
  readonly #nowMillis: () => number
  readonly #turn = new TurnBudget({
    turnMillisMax,
    ordersMin: turnOrdersMin,
    ordersBurst: turnOrdersBurst,
  })
  readonly #arrivals = new Arrivals()
  readonly #floods = new FloodCloses()
  readonly #compressor = new Compressor()
  /** Source of requests by connection, if the transport identifies connections. */
  readonly #sources = new WeakMap<object, ArrivalSource>()
  #requests = 0
  #timer: NodeJS.Timeout | null = null
  #tickMillis = 0
  /** Number of pending history queries. */
  #queries = 0
  /** True after the event log was overwritten unread: the tables are read again, and no socket is open. */
  #isCatchingUp = false
  #listeningPort = 0
  #isStopping = false
  #isClosed = false

  constructor(options: GatewayOptions) {
    const { memory, gatewayIndex, config } = options
    this.#options = options
    this.#nowMillis = options.nowMillis ?? new EngineTime(memory).millis
    this.#counters = new Counters(memory.counters, wakeupOf.gateway(gatewayIndex))
    this.#latencies = new Latencies(memory.latencies, wakeupOf.gateway(gatewayIndex))
    this.#signing = createSigning(
      config.service.name,
      config.chainId,
      config.compat.unknownFields === 'refuse',
    )
    this.#limits = new RequestLimits(options.limits, config)
    this.#flags = new Int32Array(memory.flags)
    this.#port = new CommandPort(memory, gatewayIndex)
    this.#port.ringGapMillis = ringGapMillis
    this.#gate = new AnswerGate(this.#port.timestamps, (status, kind, tookMillis) => {
      if (status === okStatus) this.#latencies.count(kind, tookMillis)
    })
    this.#connectionEnds = new ConnectionEnds(this.#port)
    this.#log = new EventLogReader(memory.eventLog, logReaders.gateway(gatewayIndex))
    this.#reads = new ReadClient(memory, gatewayIndex, this.#log)
    this.#lookups = new OutcomeLookups(memory, gatewayIndex)
    const bell = new Wakeup(memory.wakeups, wakeupOf.gateway(gatewayIndex))
    this.#pump = new EventPump(this.#log, bell, config.idle, this, {
      hasNext: () => this.#reads.hasNext() || this.#quotes.hasNext() || this.#lookups.hasNext(),
      take: () => {
        this.#connectionEnds.retry()
        this.#port.ringOwed()
        options.history.onHistoryProgress()
        return this.#reads.takeReplies() + this.#takeQuotes() + this.#lookups.take()
      },
    })
    this.#quotes = new GatewayQuotes(memory, gatewayIndex, config.quotes.ttlMillis, (instrument) =>
      this.#hub.onQuotes(instrument),
    )
    const context = this.#createContext()
    this.#context = context
    this.#providers = new ProviderHub(context, gatewayIndex, this.#quotes, () => this.#hub.flush())
    this.#hub = this.#createHub()
    const health = new VenueHealth(memory, config.pricing, this.#nowMillis)
    this.#status = new LiveStatus(memory, steadyMillis)
    this.#router = new Router(
      servedPaths({
        ...{ context, reads: this.#reads, compressor: this.#compressor },
        documents: documentHandlers(context, this.#compressor),
        components: () => this.#components(),
        degraded: () => health.reasons(),
        status: () => this.#status.read(),
        refusesReads: () => (this.#isServing() ? null : new Fault(Result.NotReady)),
      }),
    )
    this.#transport = this.#createTransport()
  }

  /** Follows the event log; listens once the engine is ready. @returns the port. */
  async start(): Promise<number> {
    this.#counters.setThreadId(threadId())
    this.#timer = setInterval(this.#tick, tickMillis)
    this.#pump.start()
    const isReady = () => Atomics.load(this.#flags, flagWords.ready) === 1
    while (!isReady() && !this.#isStopping) await sleep(readyPollMillis)
    this.#status.onReady()
    // A first snapshot must show all events that were published before the engine was ready.
    const durableOffset = this.#log.durableOffset()
    const hasUnread = () => this.#isCatchingUp || !this.#log.hasPassed(durableOffset)
    while (hasUnread() && !this.#isStopping) await sleep(1)
    if (this.#isStopping) return 0
    this.#context.eventWindow.reset(this.#pump.lastSeq, this.#log.offset())
    return this.#listen(this.#options.port)
  }

  /**
   * Fails new requests, waits for pending answers, then closes the sockets (1012) and the server. Closes providers first,
   * so that no order on any gateway waits for their quotes.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#providers.close(shutdownClose.code, shutdownClose.reason)
    const deadline = performance.now() + drainMillisMax
    const isBusy = () => this.#outstanding() + this.#compressor.underWay > 0
    while (isBusy() && performance.now() < deadline) await sleep(1)
    if (isBusy()) this.#options.log('stopped with answers outstanding')
    this.#hub.flush()
    await sleep(lingerMillis)
    await this.#close()
  }

  /** Closes everything at once after a bug. A thread that ends with an open server would abort the process. */
  abort(): void {
    this.#isClosed = true
    this.#isStopping = true
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#pump.stop()
    this.#transport.close()
  }

  onEvent(event: AnyEvent): void {
    this.#gate.hold()
    if (event.recordType === EventType.Outcome) {
      this.#port.dispatch(event)
      this.#hub.onOutcome(event)
    } else {
      takeIntoTables(this.#context, event)
      this.#providers.onEvent(event)
      this.#hub.onEvent(event)
    }
  }

  onRunEnd(isStepComplete: boolean): void {
    this.#gate.release()
    const { eventWindow, socketMillis } = this.#context
    eventWindow.note(this.#pump.lastSeq, this.#log.offset(), socketMillis(), isStepComplete)
    this.#hub.onRunEnd(isStepComplete)
    this.#lookups.waits.onSeq(this.#pump.lastSeq)
    this.#providers.onRunEnd()
  }

  onLapped(): void {
    this.#counters.add(CounterName.LogLapped, 1)
    this.#options.log(
      'the event log was overwritten unread: sockets are closed until the tables are restored',
    )
    this.#isCatchingUp = true
    this.#catchUp().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      void this.#close().then(() => this.#options.onFailed(reason))
    })
  }

  onCall: TransportHandlers['onCall'] = (call) => {
    this.#requests++
    const arrivals = this.#arrivals
    const { connection, method, path } = call
    const known = connection === null ? null : this.#sourceOf(connection, call)
    if (known?.isClosed) return
    const mayBegin = arrivals.begin(known, call.body?.length ?? 0)
    const kind = acknowledgementKind(method, path)
    const guarded = this.#gate.guard(call, kind, arrivals.arrivedMillis)
    if (mayBegin) {
      this.#route(guarded)
      arrivals.end()
      return
    }
    this.#port.timestamps.leave()
    const { body } = guarded
    const kept = body === null ? guarded : { ...guarded, body: Buffer.from(body) }
    const source = known ?? new ArrivalSource(sourceOfCall(call))
    arrivals.keep(source, body?.length ?? 0, (arrivedMillis) => {
      this.#port.timestamps.receive(arrivedMillis)
      this.#route(kept)
    })
  }

  #sourceOf(connection: object, call: HttpCall): ArrivalSource {
    const known = this.#sources.get(connection)
    if (known !== undefined) return known
    const source = new ArrivalSource(sourceOfCall(call))
    this.#sources.set(connection, source)
    return source
  }

  #route(guarded: HttpCall): void {
    try {
      this.#router.route(guarded)
    } catch (error) {
      this.#logBug(error)
      answerFault(guarded, new Fault(Result.InternalError))
    }
    this.#port.timestamps.leave()
    this.#pump.poke()
  }

  refuseStream: TransportHandlers['refuseStream'] = (address) => {
    const refusal = this.#refusal()
    return refusal === null ? this.refuseCall(address) : addressRefusal(refusal)
  }

  refuseCall: TransportHandlers['refuseCall'] = (address) => {
    if (this.#limits.addresses.connect(addressKeyOf(address))) return null
    return tooMany(this.#options.config.limits.connectionsPerAddressMax)
  }

  onCallEnd: TransportHandlers['onCallEnd'] = (address) => {
    this.#limits.addresses.disconnect(addressKeyOf(address))
  }

  onStream: NonNullable<TransportHandlers['onStream']> = (socket, query) =>
    this.#guard(socket, this.#hub.open(socket, query))

  onProvider = (socket: StreamSocket): StreamPeer =>
    this.#guard(socket, this.#providers.open(socket))

  /**
   * Wraps a peer. Its frames wait for their turn, an exception closes its connection, and the connection counts for its
   * address until it closes.
   */
  #guard(socket: StreamSocket, peer: StreamPeer): StreamPeer {
    const arrivals = this.#arrivals
    const flood = (cause: FloodCause) => this.#floods.close(socket, cause)
    const source = new ArrivalSource({
      address: socket.address,
      itemsMax: waitingFramesMax,
      bytesMax: () => (peer.isRegistered?.() ? providerWaitingBytesMax : waitingBytesMax),
      cork: (run) => socket.cork(run),
      onFlood: flood,
      onWait: (isWaiting) => socket.hold?.(isWaiting),
    })
    const work = (data: Buffer, isBinary: boolean, arrivedMillis: number) => {
      this.#frameMicros = this.#port.timestamps.receive(arrivedMillis)
      try {
        peer.onMessage(data, isBinary)
      } catch (error) {
        this.#logBug(error)
        socket.close(internalClose.code, internalClose.reason)
      }
      this.#port.timestamps.leave()
      this.#pump.poke()
    }
    const tiny = new MinuteCount(unparsedFramesMax)
    const onMessage: StreamPeer['onMessage'] = (data, isBinary) => {
      if (source.isClosed) return
      if (arrivals.begin(source, data.length)) {
        work(data, isBinary, arrivals.arrivedMillis)
        arrivals.end()
      } else if (data.length < frameBytesMin && tiny.isTooMany(arrivals.arrivedMillis)) {
        flood('unparsed_frames')
      } else {
        const kept = Buffer.from(data)
        arrivals.keep(source, kept.length, (at) => work(kept, isBinary, at))
      }
    }
    const control = new MinuteCount(controlFramesMax)
    const onPing = () => {
      if (control.isTooMany(performance.now())) flood('control_frames')
    }
    const onPong = () => {
      onPing()
      peer.onPong()
    }
    const onClose = () => {
      arrivals.forget(source)
      this.#limits.addresses.disconnect(addressKeyOf(socket.address))
      peer.onClose()
    }
    return { ...peer, onMessage, onPing, onPong, onClose }
  }

  /**
   * Recovers after the event log was overwritten unread. The last read bytes may not have been an event, and the unread
   * events are lost. So all connections close, with their requests: a client may retry each unchanged, and gets the first
   * result. All tables are then restored from the read model, which the core waits for.
   */
  async #catchUp(): Promise<void> {
    this.#gate.drop()
    this.#port.forget()
    this.#hub.close(lappedClose.code, lappedClose.reason)
    this.#providers.close(lappedClose.code, lappedClose.reason)
    this.#quotes.clear()
    clearTables(this.#context)
    this.#hub = this.#createHub()
    await sleep(lingerMillis)
    const before = this.#transport
    this.#transport = this.#createTransport()
    // Keeps the port while catching up. New connections get `not_ready`.
    if (this.#listeningPort !== 0) await this.#listen(this.#listeningPort)
    before.close()
    for (;;) {
      const tables = await requestTables(this.#reads, this.#nowMillis(), () => this.#isStopping)
      if (this.#isStopping) return
      if (tables !== null && this.#restore(tables)) break
      await sleep(retryMillis)
    }
    this.#isCatchingUp = false
    this.#options.log('the tables are restored')
  }

  /** @returns false if the tables are too old already. */
  #restore({ logOffset, seq, records }: Tables): boolean {
    this.#log.skipTo(logOffset)
    if (this.#log.lapped()) return false
    visitEvents(records, (event) => {
      takeIntoTables(this.#context, event)
      this.#providers.onEvent(event)
      this.#hub.restore(event)
    })
    this.#pump.resume(seq)
    this.#context.eventWindow.reset(seq, logOffset)
    this.#lookups.waits.onSeq(seq)
    return true
  }

  async #listen(wanted: number): Promise<number> {
    const { host } = this.#options.config
    const port = await this.#transport.listen(host, wanted)
    this.#listeningPort = port
    this.#options.log(`listening on ${host}:${port}`)
    return port
  }

  #createHub(): StreamHub {
    const hub = new StreamHub(this.#context, this.#reads, this.#quotes.board)
    this.#reads.sink = hub
    return hub
  }

  #createTransport(): Transport {
    const { config, limits } = this.#options
    const clients = new ClientAddresses(config.http.trustedProxies)
    const ledger = new SocketCounts(limits.sockets, socketLimitsOf(config, clients))
    const tls = config.tls.certFile === '' ? null : config.tls
    return this.#options.transports.open(this, { clients, ledger, tls })
  }

  #createContext(): GatewayContext {
    const { config, build, history, memory } = this.#options
    const instruments = new InstrumentNames()
    return {
      ...{ config, build, tiers: engineConfigOf(config).tiers },
      ...{ port: this.#port, connectionEnds: this.#connectionEnds, signing: this.#signing },
      ...{ limits: this.#limits, turn: this.#turn, arrivals: this.#arrivals },
      floods: this.#floods,
      names: { instruments, scenarios: scenarioNames(config) },
      ...{ perps: new PerpList(), auctions: new AuctionBook() },
      ...{ rfqs: new RfqBook(), stepFills: new StepFills(instruments) },
      eventWindow: new EventWindow(new EventLogReplay(memory.eventLog)),
      isCaughtUp: this.#options.isCaughtUp ?? (() => !this.#isCatchingUp && this.#pump.isCaughtUp),
      ...{ lastSeq: () => this.#pump.lastSeq, catchUp: () => this.#pump.catchUp() },
      ...{ shown: this.#quotes.against, lookups: this.#lookups, timestamps: memory },
      queryHistory: (path, queryText) =>
        this.#countQuery(history.query(path, queryText, this.#log.durableOffset())),
      preflight: this.#options.preflight ?? (async () => Result.WithdrawalSourceUnavailable),
      ...{ nowMillis: this.#nowMillis, frameMicros: () => this.#frameMicros },
      socketMillis: memory.virtualTime === null ? this.#nowMillis : steadyMillis,
      onStreamed: (micros, isCounted) => {
        const millis = millisBetween(micros, this.#port.timestamps.answerDecided())
        if (isCounted) this.#latencies.count(streamPlaceKind, millis)
      },
      refusesWrites: () =>
        this.#refusal() ?? (config.signing.enabled ? null : new Fault(Result.SigningDisabled)),
    }
  }

  /** Returns the error of commands and streams while the exchange is stopping or not ready; otherwise null. */
  #refusal(): Fault | null {
    const isDraining = Atomics.load(this.#flags, flagWords.draining) === 1
    return this.#isServing() && !isDraining ? null : new Fault(Result.NotReady)
  }

  /** Returns true if reads are answered. While the exchange drains, they still are. */
  #isServing(): boolean {
    const isReady = Atomics.load(this.#flags, flagWords.ready) === 1
    return (
      isReady &&
      !this.#isStopping &&
      !this.#isCatchingUp &&
      Atomics.load(this.#flags, flagWords.failed) === 0
    )
  }

  #components(): Component[] {
    const flag = (word: number) => Atomics.load(this.#flags, word) === 1
    const isDraining = flag(flagWords.draining) || this.#isStopping
    const isServing = !isDraining && !this.#isCatchingUp
    return [
      componentOf('engine', flag(flagWords.ready) && !flag(flagWords.failed), 'recovering'),
      componentOf('gateway', isServing, isDraining ? 'draining' : 'catching up'),
    ]
  }

  #logBug(error: unknown): void {
    this.#options.log(`bug: ${error instanceof Error ? error.stack : String(error)}`)
  }

  #outstanding(): number {
    const { waiting } = this.#arrivals
    return (
      waiting + this.#port.waiting + this.#reads.waiting + this.#lookups.waiting + this.#queries
    )
  }

  #countQuery(answer: Promise<Answer>): Promise<Answer> {
    this.#queries++
    return answer.finally(() => this.#queries--)
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#isStopping = true
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#pump.stop()
    this.#hub.close(shutdownClose.code, shutdownClose.reason)
    this.#providers.close(shutdownClose.code, shutdownClose.reason)
    await sleep(lingerMillis)
    this.#transport.close()
  }

  /** Takes the quotes that other gateways have received from their providers. */
  #takeQuotes(): number {
    const count = this.#quotes.take()
    if (count > 0) this.#hub.flush()
    return count
  }

  readonly #tick = (): void => {
    this.#connectionEnds.retry()
    this.#providers.tick()
    this.#hub.tick()
    const now = this.#nowMillis()
    this.#reads.expire(now)
    this.#lookups.expire(now)
    this.#status.tick()
    this.#count()
  }

  /** Publishes the counts and the heartbeat of this thread. */
  #count(): void {
    const now = steadyMillis()
    const counters = this.#counters
    counters.beat(now)
    showGatewayCounts(counters, this.#context, this.#hub)
    counters.set(CounterName.Requests, this.#requests)
    counters.set(CounterName.EventsRead, this.#pump.eventsRead)
    this.#providers.showCounts(counters)
    const lateMillis = this.#tickMillis === 0 ? 0 : now - this.#tickMillis - tickMillis
    counters.raise(CounterName.LoopDelayNanosMax, lateMillis * nanosPerMilli)
    this.#tickMillis = now
  }
}

/** Returns the bounds of waiting work, for one request or for a connection with requests. */
function sourceOfCall(call: HttpCall): SourceOptions {
  return {
    address: call.address,
    itemsMax: waitingCallsMax,
    bytesMax: () => waitingBytesMax,
    cork: (run) => run(),
    onFlood: () => call.cutOff(),
  }
}
