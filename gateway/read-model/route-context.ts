import type { EngineConfig } from '../../engine/core/engine-config.js'
import { type Answer, type RpcFrame, rpcAnswer } from './answers.js'
import type { EventViews } from './event-views.js'
import type { JsonValue, RawJson } from './json-text.js'
import type { QueryReader } from './query-reader.js'

export interface ReadModelConfig {
  readonly engine: EngineConfig
  /** The `testnet` member of JSON-RPC answers. */
  readonly testnet: boolean
  /** `instruments.minTradeAmount`, lots. */
  readonly minTradeLots: number
  /** `stream.chainIntervalMillis`: least time between messages of a chain row. */
  readonly chainMillis: number
}

/** Everything a route answers from. */
export interface RouteContext {
  readonly views: EventViews
  readonly config: ReadModelConfig
  readonly cache: AnswerCache
  /** Wall clock, for age limits only. */
  readonly nowMillis: number
  /** Arrival of the request at its gateway. */
  readonly arrivedMillis: number
}

/** One GET route of the read model: reads its parameters, and answers from the views. */
export type ReadRoute = (query: QueryReader, context: RouteContext) => Answer

const entriesMax = 64

/**
 * Parts of answers that are the same for everybody, kept until the version they were made at is
 * over.
 */
export class AnswerCache {
  readonly #entries = new Map<string, { readonly version: number; readonly json: RawJson }>()

  get(key: string, version: number, make: () => RawJson): RawJson {
    const entry = this.#entries.get(key)
    if (entry?.version === version) return entry.json
    if (this.#entries.size >= entriesMax) this.#entries.clear()
    const json = make()
    this.#entries.set(key, { version, json })
    return json
  }

  clear(): void {
    this.#entries.clear()
  }
}

/** E3 around a result. */
export function rpcAnswerOf(context: RouteContext, result: JsonValue, error?: JsonValue): Answer {
  const frame: RpcFrame = {
    testnet: context.config.testnet,
    arrivedMillis: context.arrivedMillis,
    answeredMillis: context.nowMillis,
    seq: context.views.seq,
  }
  return rpcAnswer(result, frame, error)
}
