import { QuoteFrame } from '../gateway/providers/quote-frame.js'
import { walletOf } from '../test/support/events.js'
import { quoteRig, readWhole, snapshotText, wireRow } from '../test/support/quote-rig.js'
import { type BenchResult, spread } from './bench-result.js'

export interface QuoteBenchOptions {
  readonly gateways: number
  readonly instruments: number
  readonly providers: number
  /** Times that all providers quote the whole market. */
  readonly rounds: number
}

const rowsPerFrame = 500
const versions = 3

/**
 * Indicative quotes of a whole market: each provider publishes all instruments in frames of some hundred rows, one scope
 * a frame. Counted is the processor time of all threads together, here in one: reading frames, publishing them, and
 * following the logs on every other gateway and in the read model. Nobody is subscribed.
 */
export function runQuoteBench(options: QuoteBenchOptions): BenchResult[] {
  const { gateways, instruments, providers, rounds } = options
  const market = new QuotedMarket(options)
  market.round(0) // warms up, and brings every row
  market.round(1)
  const changed = Array.from({ length: rounds }, (_, i) => market.round(i % versions))
  const same = Array.from({ length: rounds }, () => market.round(0)).slice(1)
  const rows = `${instruments * providers} rows: ${instruments} instruments, ${providers} providers`
  const extra = `${rows}, ${gateways} gateways and the read model, all threads together`
  const unit = 'ms'
  return [
    { name: 'quotes.all-changed', unit, ...spread(changed), extra },
    // A market that is quoted anew once a second takes so much of each second.
    { name: 'quotes.all-again', unit, ...spread(same), extra, threshold: { atMost: 500 } },
  ]
}

class QuotedMarket {
  readonly #rig: ReturnType<typeof quoteRig>
  readonly #providers: number
  /** Frames by version; every row of a version differs from that of the others. */
  readonly #frames: readonly (readonly Buffer[])[]
  #millis = 1000

  constructor({ gateways, instruments, providers }: QuoteBenchOptions) {
    this.#rig = quoteRig(gateways, instruments)
    this.#providers = providers
    const firsts = Array.from(
      { length: Math.ceil(instruments / rowsPerFrame) },
      (_, i) => i * rowsPerFrame,
    )
    this.#frames = Array.from({ length: versions }, (_, version) =>
      firsts.map((first, index) => {
        const count = Math.min(rowsPerFrame, instruments - first)
        const rows = Array.from({ length: count }, (_, i) => rowOf(first + i, version))
        return Buffer.from(snapshotText(rows, scopeOf(index)))
      }),
    )
  }

  /** All providers publish a version of the market. @returns processor time, ms. */
  round(version: number): number {
    const { gateways, settle, changed } = this.#rig
    this.#millis += 1000
    const begin = process.cpuUsage()
    for (let provider = 0; provider < this.#providers; provider++) {
      const { desk, instruments } = gateways[provider % gateways.length]!
      const wallet = walletOf(provider + 1)
      for (const [index, bytes] of this.#frames[version]!.entries()) {
        const frame = new QuoteFrame(bytes, this.#millis)
        readWhole(frame, instruments, desk.instrumentsOf(wallet, scopeOf(index)))
        const publishing = desk.begin(wallet, scopeOf(index), frame)
        while (!desk.advance(publishing, rowsPerFrame));
        desk.commit()
      }
      settle()
      for (const heard of changed) heard.length = 0
    }
    const { user, system } = process.cpuUsage(begin)
    return (user + system) / 1000
  }
}

function scopeOf(index: number): string {
  return index.toString(16).padStart(32, '0')
}

function rowOf(instrument: number, version: number) {
  const price = 100 + ((instrument * 7) % 900)
  return wireRow(instrument, `${price}.${10 + version}`, `${price + 1}.${10 + version}`, '10.5')
}
