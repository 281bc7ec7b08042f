import type { TheoInterval } from '../../schemas/interface/parameter.js'
import type {
  Instrument,
  InstrumentSpec,
  Market,
  TheoreticalPrices,
  Trade,
} from './generated/interface.js'
import { WalletReads } from './wallet-reads.js'

/** Which instruments are asked for. */
export type ListingQuery = {
  /** An underlying. */
  readonly currency?: string
  /** `future`: perps; default `option`. */
  readonly kind?: 'option' | 'future'
  /** Those that have expired in place of those that are traded. */
  readonly expired?: boolean
}

/** Which of the recorded theoretical prices: the last `limit` of them (100). */
export type TheoQuery = { readonly interval?: TheoInterval; readonly limit?: number }

/** What is listed, and what it was worth. */
export class MarketReads extends WalletReads {
  /**
   * Listed options, or perps, with grids of price and size and what a trade costs.
   * @example
   * const [option] = await client.market.instruments({ currency: 'BTC' })
   */
  async instruments(query: ListingQuery = {}): Promise<readonly Instrument[]> {
    return (await this.get('/instruments', query)).result
  }

  /**
   * Contract terms of options and perps, those that have expired too.
   * @example
   * const specs = await client.market.specs('BTC')
   * const tradable = specs.filter(({ is_tradable }) => is_tradable)
   */
  async specs(currency?: string): Promise<readonly InstrumentSpec[]> {
    return (await this.get('/instrument-specs', { currency })).result
  }

  /**
   * A row for each underlying and expiry: index, volatility at the money, volume, open interest.
   * @param query `include_instruments`: each with its instruments (default true).
   * @example
   * const rows = await client.market.list({ include_instruments: false })
   */
  async list(query: { readonly include_instruments?: boolean } = {}): Promise<readonly Market[]> {
    return (await this.get('/markets', query)).data
  }

  /**
   * One public trade.
   * @throws ApiError `not_found`.
   * @example
   * const [latest] = await client.trades({ limit: 1 })
   * const { price, taker_side } = await client.market.trade(latest!.trade_id)
   */
  async trade(tradeId: number): Promise<Trade> {
    return (await this.getOne('/trades/', tradeId)).data
  }

  /**
   * Theoretical prices of an instrument, oldest first.
   * @example
   * const { points } = await client.market.theos(symbol, { interval: '5m', limit: 12 })
   */
  async theos(symbol: string, query: TheoQuery = {}): Promise<TheoreticalPrices> {
    const asked = { instrument_name: symbol, ...query }
    return (await this.get('/historical-theos', asked)).data
  }

  /**
   * The same of up to 50 instruments, by their symbols.
   * @example
   * const series = await client.market.theosOf([symbol, otherSymbol], { interval: '1h' })
   */
  async theosOf(
    symbols: readonly string[],
    query: TheoQuery = {},
  ): Promise<Readonly<Record<string, TheoreticalPrices>>> {
    const asked = { instrument_names: symbols.join(','), ...query }
    return (await this.get('/historical-theos/batch', asked)).data
  }
}
