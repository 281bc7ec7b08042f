import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import type { wallet } from '../../../schemas/interface/parameter.js'
import type { QuoteBoard } from '../../quotes/quote-board.js'
import { type Answer, bareAnswer, dataAnswer } from '../../wire/answers.js'
import type { JsonValue, RawJson } from '../../wire/json-text.js'
import { type Route, type RouteRow, route } from '../../wire/route.js'
import type { StandingsBoard } from '../standings/standings-board.js'
import type { EventViews } from '../views/event-views.js'

export interface ReadModelConfig {
  readonly engine: EngineConfig
  /** The `testnet` member of JSON-RPC answers. */
  readonly testnet: boolean
  /** `instruments.minTradeAmount`, lots. */
  readonly minTradeLots: number
  /** `compat.unknownFields`. */
  readonly refusesUnknown: boolean
  /** `stream.chainIntervalMillis`: minimum time between messages of a chain row. */
  readonly chainMillis: number
}

/** Everything that a route answers from. */
export interface RouteContext {
  readonly views: EventViews
  readonly quotes: QuoteBoard
  readonly standings: StandingsBoard
  readonly config: ReadModelConfig
  readonly cache: AnswerCache
  /** Wall clock, for age limits only. */
  readonly nowMillis: number
  /** Arrival time of the request at its gateway. */
  readonly arrivedMillis: number
}

/** Route of the read model. */
export type ReadRoute = Route<RouteContext>

/** Creates a route that returns data of one wallet (E2). */
export function walletRoute<Data extends JsonValue>(
  row: RouteRow<{ readonly wallet: typeof wallet }, Data>,
  data: (wallet: string, context: RouteContext) => NoInfer<Data>,
): ReadRoute {
  return route(row, ({ wallet }, context: RouteContext) =>
    dataAnswer<Data>(data(wallet, context), context.views.seq),
  )
}

/** Room for several answers that list thousands of instruments. */
const cachedCharsMax = 16 * 1024 * 1024
const entriesMax = 64

/**
 * Cache of answer parts that are the same for every client. An entry is valid for one version; the cache is cleared
 * when it has too many entries or characters.
 */
export class AnswerCache {
  readonly #entries = new Map<string, { readonly version: number; readonly json: RawJson }>()
  #chars = 0

  /**
   * @param key Must always refer to the same type of value.
   */
  get<Json>(key: string, version: number, make: () => RawJson<Json>): RawJson<Json> {
    const entry = this.#entries.get(key)
    if (entry?.version === version) return entry.json as RawJson<Json>
    const json = make()
    this.#drop(key)
    const { length } = json.text
    if (this.#entries.size >= entriesMax || this.#chars + length > cachedCharsMax) this.clear()
    this.#entries.set(key, { version, json })
    this.#chars += length
    return json
  }

  clear(): void {
    this.#entries.clear()
    this.#chars = 0
  }

  #drop(key: string): void {
    this.#chars -= this.#entries.get(key)?.json.text.length ?? 0
    this.#entries.delete(key)
  }
}

/** Wraps a result in E3. `usIn`, `usOut` and `usDiff` are microseconds of Unix time. */
export function rpcAnswerOf<Result extends JsonValue>(
  context: RouteContext,
  result: Result | RawJson<Result>,
  error?: JsonValue,
): Answer<Result> {
  const { testnet } = context.config
  const usIn = Math.round(context.arrivedMillis * 1000)
  const usOut = Math.max(usIn, Math.round(context.nowMillis * 1000))
  const times = { usIn, usOut, usDiff: usOut - usIn }
  const { status, body } = bareAnswer(
    { jsonrpc: '2.0', result, error, testnet, ...times },
    context.views.seq,
  )
  return { status, body }
}
