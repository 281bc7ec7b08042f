import type { TheoInterval } from '../../schemas/interface/parameter.js'
import type {
  Instrument,
  InstrumentSpec,
  Market,
  TheoreticalPrices,
  Trade,
} from './generated/interface.js'
import { WalletReads } from './wallet-reads.js'

/** Filter of instruments. */
export type ListingQuery = {
  /** An underlying. */
  readonly currency?: string
  /** `future`: perps; default `option`. */
  readonly kind?: 'option' | 'future'
  /** Returns expired instruments instead of traded ones. */
  readonly expired?: boolean
}

/** Selects the last `limit` (100) recorded theoretical prices. */
export type TheoQuery = { readonly interval?: TheoInterval; readonly limit?: number }

/** Reads of instruments, markets and theoretical prices. */
export class MarketReads extends WalletReads {
  /**
   * Returns the listed options or perps, with price and size grids and trading fees.
   * @example
   * const [option] = await client.market.instruments({ currency: 'BTC' })
   */
  async instruments(query: ListingQuery = {}): Promise<readonly Instrument[]> {
    return (await this.get('/instruments', query)).result
  }

  /**
   * Returns the contract terms of options and perps, including expired ones.
   * @example
   * const specs = await client.market.specs('BTC')
   * const tradable = specs.filter(({ is_tradable }) => is_tradable)
   */
  async specs(currency?: string): Promise<readonly InstrumentSpec[]> {
    return (await this.get('/instrument-specs', { currency })).result
  }

  /**
   * Returns a row per underlying and expiry: index, at-the-money volatility, volume, open interest.
   * @param query `include_instruments` adds the instruments of each row (default true).
   * @example
   * const rows = await client.market.list({ include_instruments: false })
   */
  async list(query: { readonly include_instruments?: boolean } = {}): Promise<readonly Market[]> {
    return (await this.get('/markets', query)).data
  }

  /**
   * Returns one public trade.
   * @throws ApiError `not_found`.
   * @example
   * const [latest] = await client.trades({ limit: 1 })
   * const { price, taker_side } = await client.market.trade(latest!.trade_id)
   */
  async trade(tradeId: number): Promise<Trade> {
    return (await this.getOne('/trades/', tradeId)).data
  }

  /**
   * Returns theoretical prices of an instrument, oldest first.
   * @example
   * const { points } = await client.market.theos(symbol, { interval: '5m', limit: 12 })
   */
  async theos(symbol: string, query: TheoQuery = {}): Promise<TheoreticalPrices> {
    const parameters = { instrument_name: symbol, ...query }
    return (await this.get('/historical-theos', parameters)).data
  }

  /**
   * Returns theoretical prices of up to 50 instruments, by symbol.
   * @example
   * const series = await client.market.theosOf([symbol, otherSymbol], { interval: '1h' })
   */
  async theosOf(
    symbols: readonly string[],
    query: TheoQuery = {},
  ): Promise<Readonly<Record<string, TheoreticalPrices>>> {
    const parameters = { instrument_names: symbols.join(','), ...query }
    return (await this.get('/historical-theos/batch', parameters)).data
  }
}
