import { QuoteFrame } from '../gateway/providers/quote-frame.js'
import { walletOf } from './event-script.js'
import { type BenchResult, spread } from './measure/bench-result.js'
import { quoteRig, readWhole, symbolAt } from './quote-rig.js'
import { marketTexts, quoteRowsPerFrame, quoteScope, quoteVersions } from './quoted-market.js'

export interface QuoteBenchOptions {
  readonly gateways: number
  readonly instruments: number
  readonly providers: number
  /** Number of rounds in which all providers quote the whole market. */
  readonly rounds: number
}

/**
 * Measures indicative quotes of a whole market. Each provider publishes all instruments in frames of some hundred rows,
 * one scope per frame. The figure is the processor time of all threads' work, done here in one thread: reading and
 * publishing the frames, and reading the logs on every other gateway and in the read model. There are no subscribers.
 */
export function runQuoteBench(options: QuoteBenchOptions): BenchResult[] {
  const { gateways, instruments, providers, rounds } = options
  const market = new QuotedMarket(options)
  market.round(0) // warm-up, which creates every row
  market.round(1)
  const changed = Array.from({ length: rounds }, (_, i) => market.round(i % quoteVersions))
  const same = Array.from({ length: rounds }, () => market.round(0)).slice(1)
  const about = 'gateways and read model, all threads together'
  const extra = { about, rows: instruments * providers, instruments, providers, gateways }
  const unit = 'ms'
  return [
    { name: 'quotes.all-changed', unit, ...spread(changed), extra },
    // The time that a market quoted once a second takes of each second.
    { name: 'quotes.all-again', unit, ...spread(same), extra, threshold: { atMost: 500 } },
  ]
}

class QuotedMarket {
  readonly #rig: ReturnType<typeof quoteRig>
  readonly #providers: number
  /** Frames by version of the market. */
  readonly #frames: readonly (readonly Buffer[])[]
  #millis = 1000

  constructor({ gateways, instruments, providers }: QuoteBenchOptions) {
    this.#rig = quoteRig(gateways, instruments)
    this.#providers = providers
    const symbols = Array.from({ length: instruments }, (_, i) => symbolAt(i))
    this.#frames = Array.from({ length: quoteVersions }, (_, version) =>
      marketTexts(symbols, version).map((text) => Buffer.from(text)),
    )
  }

  /** Lets all providers publish a version of the market. @returns processor time in milliseconds. */
  round(version: number): number {
    const { gateways, settle, changed } = this.#rig
    this.#millis += 1000
    const begin = process.cpuUsage()
    for (let provider = 0; provider < this.#providers; provider++) {
      const { service, instruments } = gateways[provider % gateways.length]!
      const wallet = walletOf(provider + 1)
      for (const [index, bytes] of this.#frames[version]!.entries()) {
        const frame = new QuoteFrame(bytes, this.#millis)
        readWhole(frame, instruments, service.instrumentsOf(wallet, quoteScope(index)))
        const publishing = service.begin(wallet, quoteScope(index), frame)
        while (!service.advance(publishing, quoteRowsPerFrame));
        service.commit()
      }
      settle()
      for (const heard of changed) heard.length = 0
    }
    const { user, system } = process.cpuUsage(begin)
    return (user + system) / 1000
  }
}
