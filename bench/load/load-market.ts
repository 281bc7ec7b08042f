import type { ExchangeInfo } from '../../gateway/client/answer-types.js'
import type { OptionSummary } from '../../gateway/client/generated/interface.js'
import type { RestClient } from '../../gateway/client/rest-client.js'
import { microsPerUsd } from '../../schemas/bounds.js'
import type { SigningDomain } from '../../schemas/typed-data.js'

/** Option that the load trades. */
export interface LoadInstrument {
  readonly symbol: string
  /** Center of the planned prices: the middle of the book, else the mark. */
  readonly middleMicros: number
  /** Tick sizes by ascending price. `tickMicros` applies above `aboveMicros`. */
  readonly ticks: readonly { readonly aboveMicros: number; readonly tickMicros: number }[]
}

/** Signing domain of the venue, and its options. */
export interface LoadMarket {
  readonly domain: SigningDomain
  readonly instruments: readonly LoadInstrument[]
}

interface InstrumentRow {
  readonly instrument_name: string
  readonly is_active: boolean
  readonly orderbook: boolean
  readonly tick_size: number
  readonly tick_size_steps: readonly { readonly above_price: number; readonly tick_size: number }[]
}

/** Lowest price to trade. Below it, a spread of a few percent is less than one or two ticks. */
const middleUsdMin = 0.01

/**
 * Reads the signing domain and the options from the public interface.
 * @param count largest number of options; those with the highest prices are taken.
 * @throws Error if the venue lists no tradable option.
 */
export async function discoverMarket(
  rest: RestClient,
  count: number,
  currency?: string,
): Promise<LoadMarket> {
  const info = await rest.request<ExchangeInfo>('GET', '/exchange-info')
  const query = { currency }
  const [listed, summaries] = await Promise.all([
    rest.request<{ result: readonly InstrumentRow[] }>('GET', '/instruments', { query }),
    rest.request<{ result: readonly OptionSummary[] }>('GET', '/options-summary', { query }),
  ])
  const middles = new Map(summaries.result.map((row) => [row.instrument_name, middleUsd(row)]))
  const instruments = listed.result
    .filter(({ is_active, orderbook }) => is_active && orderbook)
    .map((row) => ({ row, usd: middles.get(row.instrument_name) ?? 0 }))
    .filter(({ usd }) => usd >= middleUsdMin)
    .sort((one, other) => other.usd - one.usd)
    .slice(0, count)
    .map(({ row, usd }) => loadInstrument(row, usd))
  if (instruments.length === 0) {
    throw new Error('the venue lists no option with a book and a price; list some, or start a feed')
  }
  const { name, version } = info.signing_domain
  return { domain: { name, version, chainId: info.chain_id }, instruments }
}

/** Rounds a price to the venue's tick, to at least one tick. */
export function legalPriceMicros({ ticks }: LoadInstrument, micros: number): number {
  let tickMicros = ticks[0].tickMicros
  for (const tick of ticks) if (micros > tick.aboveMicros) tickMicros = tick.tickMicros
  return Math.max(1, Math.round(micros / tickMicros)) * tickMicros
}

function middleUsd({ bid_price, ask_price, mark_price, theoretical_price }: OptionSummary): number {
  if (bid_price > 0 && ask_price > 0) return (bid_price + ask_price) / 2
  return mark_price || theoretical_price
}

function loadInstrument(row: InstrumentRow, usd: number): LoadInstrument {
  const steps = [{ above_price: 0, tick_size: row.tick_size }, ...row.tick_size_steps]
  return {
    symbol: row.instrument_name,
    middleMicros: Math.round(usd * microsPerUsd),
    ticks: steps.map(({ above_price, tick_size }) => ({
      aboveMicros: Math.round(above_price * microsPerUsd),
      tickMicros: Math.round(tick_size * microsPerUsd),
    })),
  }
}
