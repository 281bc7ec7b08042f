import assert from 'node:assert/strict'
import { EventScript, smallMemory, walletOf } from '../../bench/event-script.js'
import { engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { ReadModel } from '../../gateway/read-model/read-model.js'
import { Tier } from '../../schemas/domain.js'
import { InstrumentChange } from '../../schemas/record-values.js'
import { ReadClient } from './read-client.js'

export const day = 86_400_000
export const start = Date.UTC(2026, 7, 26, 8)
export const expiry = start + 30 * day
export const call = 'BTC-20260925-110000-C'
export const put = 'BTC-20260925-90000-P'
export const alice = walletOf(1)
export const bob = walletOf(2)
export const usd = 1_000_000
export const contract = 100_000_000

/** Market with one expiry: index 100,000, volatility 0.6, 30 days, as in the worked examples. */
export class MarketBench {
  readonly clock = { millis: start }
  readonly script: EventScript
  readonly #model: ReadModel
  readonly #client: ReadClient

  constructor(engine = engineConfigDefault) {
    const memory = smallMemory()
    this.script = new EventScript(memory, start)
    const config = {
      engine,
      testnet: true,
      minTradeLots: 1,
      chainMillis: 250,
      refusesUnknown: false,
    }
    this.#model = new ReadModel(memory, config, () => this.clock.millis)
    this.#client = new ReadClient(memory)
  }

  bootstrap(): void {
    const { script } = this
    script.bootstrapBegin()
    script.indexPrice(0, 100_000 * usd)
    script.instrument(0, call, 0, expiry, InstrumentChange.Bootstrap)
    script.instrument(1, put, 0, expiry, InstrumentChange.Bootstrap)
    script.surface(0, expiry, [100_000, 0.6])
    script.remarked(0)
    script.account({ account: 0, wallet: alice, cashMicros: 10_000 * usd })
    script.account({ account: 1, wallet: bob, cashMicros: 0, tier: Tier.MarketMaker })
    script.bootstrapEnd()
  }

  // biome-ignore lint/suspicious/noExplicitAny: a parsed answer, whose shape the test is about
  get(target: string): { status: number; body: any; text: string } {
    this.script.commit()
    this.#client.ask(1, target)
    this.#model.doWork()
    const reply = this.#client.take()
    assert.ok(reply, `${target}: no answer`)
    return { status: reply.status, body: JSON.parse(reply.text), text: reply.text }
  }
}

export function market(engine = engineConfigDefault): MarketBench {
  const bench = new MarketBench(engine)
  bench.bootstrap()
  return bench
}
