import { RestClient } from '../gateway/client/rest-client.js'
import { type LoadOptions, readLoadOptions } from './load/load-options.js'
import { VenueProcess, type VenueProcessOptions } from './venue-process.js'

const expirySeconds = 4_102_387_200
const underlyings = ['BTC', 'ETH'] as const
const indexUsd = { BTC: 100_000, ETH: 4_000 } as const
const strikeShares = [0.8, 0.9, 1, 1.1, 1.2]
const endSignals = ['SIGINT', 'SIGTERM'] as const
// No rate limits, so that the venue itself is measured.
export const unlimited = [
  'ordersPerMinute',
  'cancelsPerMinute',
  'apiRequestsPerMinute',
  'openOrdersMax',
].map((limit) => `--set=limits.market_maker.${limit}=1000000000`)

/** Venue process with a small market that only the load harness trades. */
export class LoadVenue extends VenueProcess {
  readonly #exit = () => process.exit(1)

  constructor(options: VenueProcessOptions = {}) {
    super({ ...options, arguments: [...unlimited, ...(options.arguments ?? [])] })
    // By default these signals end the process without its exit handlers, and the venue would keep running.
    for (const signal of endSignals) process.on(signal, this.#exit)
  }

  override async dispose(): Promise<void> {
    for (const signal of endSignals) process.off(signal, this.#exit)
    await super.dispose()
  }

  /** Returns the options of a load on this venue. @param shape flags of the load harness. */
  loadOptions(shape: readonly string[]): LoadOptions {
    const address = [`--url=${this.url}`, `--operator-url=${this.operatorUrl}`]
    return readLoadOptions([...address, `--operator-token=${this.token}`, ...shape], {})
  }

  /** Starts the venue, and lists ten calls and ten puts with index prices and surfaces. */
  override async start(): Promise<void> {
    await super.start()
    const operator = new RestClient({ url: this.operatorUrl, token: this.token })
    const post = (path: string, body: object) =>
      operator.request('POST', `/operator/${path}`, { body })
    const prices = underlyings.map((underlying) => ({
      underlying,
      price: String(indexUsd[underlying]),
    }))
    await post('index-prices', { prices })
    for (const underlying of underlyings) {
      for (const share of strikeShares) {
        const strike = Math.round(indexUsd[underlying] * share)
        for (const right of ['C', 'P']) {
          const symbol = `${underlying}-20991231-${strike}-${right}`
          await post('instruments', { symbol, expiry: expirySeconds })
        }
      }
      const points = [{ strike: String(indexUsd[underlying]), iv: '0.6' }]
      await post('vol-surfaces', { underlying, expiry: expirySeconds, points })
    }
  }
}
