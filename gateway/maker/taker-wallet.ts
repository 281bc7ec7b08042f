import type { Perp } from '../client/answer-types.js'
import type { OptionSummary, OrderUpdate } from '../client/generated/interface.js'
import type { StrikebookClient } from '../client/strikebook-client.js'
import type { RandomSource } from '../feeds/random-source.js'
import { decimalText } from './quote-plan.js'

const positionsMax = 8
const cheapShare = 0.05 // maximum price as a share of the index, so that a small account can trade it
const notionalPerTradeUsd = 2000
const perpShare = 0.25 // of all trades
const perpUnitsMax = 10 // maximum position in a perp, in units of one trade

/** Small wallet that takes from the book occasionally, so that there are trades. */
export class TakerWallet {
  readonly client: StrikebookClient
  readonly #random: RandomSource
  /** Signed contracts by symbol. */
  readonly #positions = new Map<string, number>()

  constructor(client: StrikebookClient, random: RandomSource) {
    this.client = client
    this.#random = random
  }

  /** Reads the positions of an earlier run. */
  async load(): Promise<void> {
    const { positions } = await this.client.portfolio()
    for (const { symbol, amount } of positions) this.#positions.set(symbol, Number(amount))
  }

  /** Trades once: a random option at its best price, or sometimes a perp. Closes an option if it holds too many. */
  async trade(rows: readonly OptionSummary[], perps: readonly Perp[]): Promise<void> {
    if (perps.length > 0 && this.#random.next() < perpShare) {
      return this.#tradePerp(this.#pick(perps))
    }
    const quoted = rows.filter((row) => row.bid_price > 0 && row.ask_price > 0)
    const held = quoted.filter((row) => (this.#positions.get(row.instrument_name) ?? 0) !== 0)
    if (held.length >= positionsMax) return this.#close(this.#pick(held))
    const cheap = quoted.filter((row) => row.ask_price < row.underlying_price * cheapShare)
    if (cheap.length === 0) return
    const row = this.#pick(cheap)
    const unit = unitOf(row.underlying_price)
    await this.#take(row, this.#random.next() < 0.5 ? unit : -unit)
  }

  /**
   * Trades a perp on the side closer to the index. That helps a maker that shifts its quotes to reduce its position.
   */
  async #tradePerp({ asset, symbol }: Perp): Promise<void> {
    const book = await this.client.orderbook(symbol, 1)
    if (book === null || !(book.best_bid_price > 0 && book.best_ask_price > 0)) return
    const { best_bid_price: bid, best_ask_price: ask, index_price: index } = book
    const unit = unitOf(index)
    const held = this.#positions.get(symbol) ?? 0
    const isFull = Math.abs(held) >= perpUnitsMax * unit
    const isBuy = isFull ? held < 0 : ask - index < index - bid
    const update = await this.client.placePerpOrder({
      asset,
      side: isBuy ? 'Buy' : 'Sell',
      size: decimalText(unit),
      price: decimalText(isBuy ? ask : bid),
      tif: 'ioc',
    })
    this.#onTaken(symbol, update)
  }

  async #close(row: OptionSummary): Promise<void> {
    await this.#take(row, -(this.#positions.get(row.instrument_name) ?? 0))
  }

  async #take(row: OptionSummary, contracts: number): Promise<void> {
    const symbol = row.instrument_name
    const update = await this.client.placeOrder({
      symbol,
      side: contracts > 0 ? 'Buy' : 'Sell',
      size: decimalText(Math.abs(contracts)),
      price: decimalText(contracts > 0 ? row.ask_price : row.bid_price),
      tif: 'ioc',
      route: 'book_only',
    })
    this.#onTaken(symbol, update)
  }

  #onTaken(symbol: string, { info, filled_size }: OrderUpdate): void {
    const filled = info.side === 'Buy' ? Number(filled_size) : -Number(filled_size)
    const position = Number(((this.#positions.get(symbol) ?? 0) + filled).toFixed(8))
    if (position === 0) this.#positions.delete(symbol)
    else this.#positions.set(symbol, position)
  }

  #pick<Row>(rows: readonly Row[]): Row {
    return rows[Math.floor(this.#random.next() * rows.length)]!
  }
}

/** Returns the contracts of one trade: a power of ten, worth at most 2,000 USD of the underlying. */
function unitOf(underlyingPrice: number): number {
  return 10 ** Math.floor(Math.log10(notionalPerTradeUsd / underlyingPrice))
}
