import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { StreamMessage } from '../../gateway/client/stream-types.js'
import { CommandChannel } from './command-channel.js'
import { type CommandPlan, LoadKind, planCommands } from './command-plan.js'
import { CommandSigner } from './command-signer.js'
import { LatencyHistogram } from './latency-histogram.js'
import type { LoadOptions } from './load-options.js'
import { LoadSeries } from './load-series.js'
import type { LoadSession } from './load-session.js'
import { LoadTally } from './load-tally.js'
import { OpenLoop } from './open-loop.js'
import { type CommandAnswer, OrderLedger } from './order-ledger.js'
import { phaseCounts, planPhases, type RatePhase } from './send-plan.js'
import { StreamConnection } from './stream-connection.js'
import { readVenueGauges } from './venue-gauges.js'
import { goesByStream, replaceBytes, type WireParts } from './wire-command.js'

const settleSeconds = 0.5
const quietMillis = 300
const quietMillisMax = 30_000
/** Number of quiet intervals in a row after which the run ends, even if more messages are implied. */
const quietIntervalsMax = 10
const pollMillis = 20
const sampleMillis = 1000
const nonceMicrosPerMilli = 1000
const millisPerSecond = 1000

/**
 * One open-loop run. It signs a plan, sends it at the planned times, and enters every answer and private message into the
 * ledger. Open orders stay open, for `reconcile`.
 */
export class LoadRun {
  readonly plan: CommandPlan
  readonly ledger: OrderLedger
  /** One per phase. */
  readonly tallies: readonly LoadTally[]
  readonly series = new LoadSeries()
  readonly loop: OpenLoop
  /** Latencies from the planned time of an order to its first update on the wallet's private stream. */
  readonly deliveries = new LatencyHistogram()
  /** Replaces that were sent as cancels, because their order was not known to be open. */
  replacesTurned = 0
  readonly #options: LoadOptions
  readonly #session: LoadSession
  readonly #parts: WireParts
  readonly #plannedMillis: Float64Array
  readonly #channel: CommandChannel
  readonly #signer: CommandSigner
  /** Kind of each command as sent. */
  readonly #sentKind: Uint8Array
  /** Index of the replace that names this order; -1 if there is none. */
  readonly #replacedBy: Int32Array
  readonly #signedReplaces = new Map<number, Uint8Array>()
  /** Phase of each command. */
  readonly #phaseOf: Uint8Array
  #watches: readonly StreamConnection[] = []
  #privateMessages = 0
  #outstanding = 0

  constructor(session: LoadSession, options: LoadOptions) {
    const { wallets, phases, seed, gaps, transport } = options
    const { instruments } = session.market
    const counts = phaseCounts(phases)
    const count = counts.reduce((sum, one) => sum + one, 0)
    const rateMax = Math.max(...phases.map(({ ratePerSecond }) => ratePerSecond))
    const settleCommands = Math.ceil(rateMax * settleSeconds)
    this.#options = options
    this.#session = session
    this.plan = planCommands({ ...options, count, instruments, settleCommands })
    this.#plannedMillis = planPhases(phases, { gaps, seed })
    this.tallies = talliesOf(phases)
    this.#phaseOf = phasesOf(counts)
    const firstNonce = Date.now() * nonceMicrosPerMilli
    const tag = `load-${Date.now().toString(36)}-`
    this.ledger = new OrderLedger(this.plan, tag, wallets, instruments.length)
    const symbols = instruments.map(({ symbol }) => symbol)
    const { host } = new URL(options.url)
    const shared = { symbols, firstNonce, tag, transport, host }
    this.#parts = { ...shared, plan: this.plan, contexts: session.contexts }
    this.#sentKind = this.plan.kind.slice()
    this.#replacedBy = replacedBy(this.plan)
    this.#channel = new CommandChannel({
      url: options.url,
      connections: options.connections,
      httpConnections: options.httpConnections,
      hasStream: transport === 'stream',
      firstNonce,
      count,
      onAnswer: (index, answer) => this.#onAnswer(index, answer),
      onFault: (fault) => this.ledger.faults.push(fault),
    })
    const { memory } = this.plan
    const { privateKeys } = session
    const { domain } = session.market
    this.#signer = new CommandSigner({
      data: { ...shared, count, memory, privateKeys, domain },
      aheadMax: options.signAhead,
    })
    this.loop = new OpenLoop({
      plannedMillis: this.#plannedMillis,
      spinMillis: options.spinMillis,
      send: (index) => this.#send(index),
    })
  }

  /** Returns true if the run ended before everything was sent. */
  get isInterrupted(): boolean {
    return this.loop.sent < this.plan.count
  }

  /** Returns the tally of the last phase that began. */
  get measured(): LoadTally {
    return this.tallies.findLast(({ sentCount }) => sentCount > 0) ?? this.tallies[0]
  }

  /** Signs, connects, sends, and waits for the answers. @param interrupt ends the sending early. */
  async run(interrupt?: AbortSignal): Promise<void> {
    let sampler: NodeJS.Timeout | undefined
    try {
      await this.#channel.open()
      await this.#watch()
      await this.#signer.ready()
      sampler = this.#startSampler()
      this.series.start()
      await this.#sendAll(interrupt)
      await this.#drain()
      this.ledger.settleEarlyFills()
    } finally {
      clearInterval(sampler)
      this.series.stop()
      await this.#signer.close()
      this.#channel.close()
      for (const watch of this.#watches) watch.close()
    }
  }

  async #sendAll(interrupt?: AbortSignal): Promise<void> {
    const stop = () => this.loop.stop()
    if (interrupt?.aborted) stop()
    interrupt?.addEventListener('abort', stop)
    await this.loop.run()
    interrupt?.removeEventListener('abort', stop)
    if (!this.isInterrupted) return
    const millis = performance.now() - this.loop.beginMillis
    for (const tally of this.tallies) tally.cut(millis)
  }

  /** Opens one private stream per wallet. */
  async #watch(): Promise<void> {
    const { url } = this.#options
    this.#watches = await Promise.all(
      this.#session.contexts.map(({ wallet }) =>
        StreamConnection.open({
          url,
          wallet,
          channels: ['order_updates', 'fills'],
          onMessage: (message) => {
            this.#privateMessages++
            if (message.type === 'OrderUpdate') this.#onOrderUpdate(message)
            else if (message.type === 'Fill') this.ledger.onFill(message)
          },
          onLost: (code, reason) =>
            this.ledger.faults.push(`private stream of ${wallet} was closed: ${code} ${reason}`),
        }),
      ),
    )
  }

  #onOrderUpdate(message: StreamMessage): void {
    const index = this.ledger.onOrderUpdate(message)
    if (index >= 0) this.deliveries.record(this.loop.latencyMillis(index))
  }

  #send(index: number): void {
    let bytes = this.#signer.bytesOf(index)
    let kind = this.plan.kind[index]
    if (kind === LoadKind.Replace) {
      const signed = this.#signedReplaces.get(index)
      this.#signedReplaces.delete(index)
      if (signed !== undefined && this.ledger.isWorking(this.plan.target[index])) bytes = signed
      else {
        kind = LoadKind.Cancel
        this.replacesTurned++
      }
      this.#sentKind[index] = kind
    }
    this.ledger.sent(index)
    this.series.sent()
    this.#outstanding++
    this.tallies[this.#phaseOf[index]].sent(kind)
    if (goesByStream(this.#options.transport, kind)) this.#channel.sendStream(bytes)
    else this.#channel.sendHttp(index, bytes)
  }

  #onAnswer(index: number, answer: CommandAnswer): void {
    const latencyMillis = this.loop.latencyMillis(index)
    const kind = this.#sentKind[index]
    if (this.ledger.isAwaited(index)) {
      this.#outstanding--
      this.#measure(index, kind, answer, latencyMillis)
      if (answer.status === '') this.series.refused()
      else this.series.executed(latencyMillis)
    }
    this.ledger.answered(index, kind, answer)
    // Signed as early as possible, to keep the signing out of the send.
    const replace = this.#replacedBy[index]
    if (replace >= this.loop.sent && this.ledger.isWorking(index)) {
      this.#signedReplaces.set(replace, replaceBytes(this.#parts, replace, answer.orderId))
    }
  }

  #measure(index: number, kind: number, answer: CommandAnswer, latencyMillis: number): void {
    const nowMillis = performance.now() - this.loop.beginMillis
    const tally = this.tallies[this.#phaseOf[index]]
    tally.lastAnswerMillis = nowMillis
    tally.answered(kind, answer, latencyMillis)
    if (answer.status === '') return
    const now = this.tallies.find(({ endMillis }) => nowMillis <= endMillis)
    if (now !== undefined) now.executedInTime++
  }

  /**
   * Waits for the answers, then until the private streams are silent. If their messages are incomplete, waits longer,
   * because a stalled machine is silent, too.
   */
  async #drain(): Promise<void> {
    const endMillis = performance.now() + this.#options.drainSeconds * 1000
    while (this.#outstanding > 0 && performance.now() < endMillis) await sleep(pollMillis)
    const quietEndMillis = performance.now() + quietMillisMax
    let seen = this.#privateMessages
    for (
      let quietIntervals = 0;
      quietIntervals < quietIntervalsMax && performance.now() < quietEndMillis;
    ) {
      await sleep(quietMillis)
      await nextTurn() // reads the messages of the pause
      quietIntervals = seen === this.#privateMessages ? quietIntervals + 1 : 0
      seen = this.#privateMessages
      if (quietIntervals > 0 && !this.ledger.isIncomplete()) return
    }
  }

  #startSampler(): NodeJS.Timeout | undefined {
    const { operatorUrl } = this.#options
    if (operatorUrl === null) return undefined
    return setInterval(() => {
      void readVenueGauges(operatorUrl).then((gauges) => {
        this.series.gauges = gauges
      })
    }, sampleMillis)
  }
}

function talliesOf(phases: readonly RatePhase[]): readonly LoadTally[] {
  let beginMillis = 0
  return phases.map(({ seconds }) => {
    const tally = new LoadTally(beginMillis, beginMillis + seconds * millisPerSecond)
    beginMillis = tally.endMillis
    return tally
  })
}

function phasesOf(counts: readonly number[]): Uint8Array {
  const phases = new Uint8Array(counts.reduce((sum, count) => sum + count, 0))
  let from = 0
  for (const [phase, count] of counts.entries()) {
    phases.fill(phase, from, from + count)
    from += count
  }
  return phases
}

function replacedBy({ count, kind, target }: CommandPlan): Int32Array {
  const replaces = new Int32Array(count).fill(-1)
  for (let index = 0; index < count; index++) {
    if (kind[index] === LoadKind.Replace) replaces[target[index]] = index
  }
  return replaces
}
