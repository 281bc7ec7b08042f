import { EventScript, smallMemory, walletOf } from '../../bench/event-script.js'
import { followEvents } from '../../bench/follow-events.js'
import { EventLogReader, EventLogWriter } from '../../engine/memory/event-log.js'
import { type ExchangeMemory, logReaders } from '../../engine/memory/exchange-memory.js'
import type { EngineConfig } from '../../engine/state/market/engine-config.js'
import { HistoryQueries } from '../../gateway/read-model/history/history-query.js'
import type { HistoryDatabase } from '../../gateway/read-model/history/history-schema.js'
import { HistoryWriter } from '../../gateway/read-model/history/history-writer.js'
import {
  add,
  type PackedSums,
  packSums,
  unpackSums,
  type WalletSums,
} from '../../gateway/read-model/history/wallet-sums.js'
import { marginOf } from '../../gateway/read-model/texts/portfolio-text.js'
import { EventViews } from '../../gateway/read-model/views/event-views.js'
import { formatMicros } from '../../schemas/decimal.js'
import type { AnyEvent } from '../../schemas/generated/events.js'
import { FundingRig, funded, minute } from './funding-rig.js'
import type { RigEvent } from './rig-event.js'

export const fiveMinutes = 5 * minute
const wallets = [1, 2, 3, 4]

/** Returns a configuration with funding, fees on both sides, and a share of them for builders. */
export function chargedConfig(): EngineConfig {
  const config = funded()
  const fees = { ...config.fees, makerRate: -0.0001, takerRate: 0.0003, builderShare: 0.2 }
  return { ...config, fees: { ...fees, perpTakerRate: 0.0002 } }
}

/** Equity of a wallet between batches, as in its portfolio. */
export interface WorthAt {
  readonly wallet: string
  readonly millis: number
  readonly equity: string
}

/** Core whose wallets trade options and a perp, with a read model, and events for histories. */
export class ProfitRig extends FundingRig {
  /** Equity of every wallet at each boundary, directly before the next event. */
  readonly worths: WorthAt[] = []
  readonly #views: EventViews
  readonly #events: Uint8Array[] = []
  #nextMillis = Number.NaN
  #random: number

  constructor(seed: number, config: EngineConfig = chargedConfig()) {
    super(config)
    this.#random = seed
    this.#views = new EventViews(config)
    const begun = smallMemory()
    const script = new EventScript(begun, 0)
    script.bootstrap()
    script.commit()
    followAll(begun, (event) => this.#views.apply(event))
  }

  below(count: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) | 0
    return (this.#random >>> 8) % count
  }

  /** Returns the events, and records them for the read model and histories. */
  override events(): RigEvent[] {
    return this.eventsFor((event) => {
      this.#events.push(event.u8.slice(event.at, event.at + event.recordBytes))
      this.#noteWorths(event.timeMillis)
      this.#views.apply(event)
    })
  }

  /** Events published so far. */
  get published(): readonly Uint8Array[] {
    return this.#events
  }

  #noteWorths(nowMillis: number): void {
    if (Number.isNaN(this.#nextMillis)) {
      this.#nextMillis = Math.floor(nowMillis / fiveMinutes) * fiveMinutes + fiveMinutes
    }
    for (; this.#nextMillis <= nowMillis; this.#nextMillis += fiveMinutes) {
      for (const wallet of wallets.map(walletOf)) {
        const account = this.#views.accounts.find(wallet)
        const equity = formatMicros(marginOf(this.#views, account).equity)
        this.worths.push({ wallet, millis: this.#nextMillis, equity })
      }
    }
  }
}

/** History that the test feeds. */
export class FedHistory {
  readonly #memory: ExchangeMemory
  readonly #log: EventLogWriter
  readonly writer: HistoryWriter

  constructor(dataDir: string, config: EngineConfig) {
    this.#memory = smallMemory(1, 1 << 24)
    this.#log = new EventLogWriter(this.#memory.eventLog, [logReaders.history])
    this.writer = new HistoryWriter(this.#memory, dataDir, config, () => 0)
    this.writer.onStart()
    // The writer indexes earlier contents of the store immediately, and later ones only when it works.
    while (this.writer.doWork() > 0);
  }

  /** Writes events; if `begins`, after the events of a bootstrap. */
  feed(events: readonly Uint8Array[], begins = false): this {
    if (begins) this.#begin(events[0]!)
    for (const bytes of events) {
      const type = new Int32Array(bytes.buffer)[1]!
      const at = this.#log.tryClaim(bytes.length, type)
      this.#log.u8.set(bytes, at)
    }
    this.#log.storeDurable(this.#log.publish())
    while (this.writer.doWork() > 0);
    return this
  }

  close(): void {
    this.writer.onClose()
  }

  #begin(first: Uint8Array): void {
    const memory = smallMemory()
    const script = new EventScript(memory, new Float64Array(first.buffer)[2]!)
    script.seq = new Float64Array(first.buffer)[1]! - 1
    script.bootstrap()
    script.commit()
    followAll(memory, ({ u8, at, recordBytes, recordType }) => {
      this.#log.u8.set(
        u8.subarray(at, at + recordBytes),
        this.#log.tryClaim(recordBytes, recordType),
      )
    })
  }
}

/** Queries a store. */
export function queryStore(dataDir: string, path: string, query: string) {
  const queries = new HistoryQueries(dataDir)
  try {
    return JSON.parse(queries.answer({ path, query }).body)
  } finally {
    queries.close()
  }
}

function followAll(memory: ExchangeMemory, take: (event: AnyEvent) => void): void {
  followEvents(new EventLogReader(memory.eventLog, logReaders.readModel), take)
}

/** Returns all sums of a table of the store by start and wallet, merged from all their parts. */
export function sumsIn(database: HistoryDatabase, table: string) {
  const select = `select start_millis as start, wallet, sums from ${table} order by start_millis, wallet`
  const found = new Map<string, WalletSums>()
  type Packed = { readonly start: number; readonly wallet: string; readonly sums: PackedSums }
  for (const { start, wallet, sums } of database.prepare(select).all() as Packed[]) {
    const name = `${start} ${wallet}`
    const known = found.get(name) ?? new Map()
    found.set(name, known)
    for (const row of unpackSums(sums)) add(known, row)
  }
  return [...found]
    .map(([name, sums]) => [name, unpackSums(packSums(null, sums))] as const)
    .filter(([, rows]) => rows.length > 0)
}
