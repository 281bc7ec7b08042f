import type { StrikebookClient } from '../../gateway/client/strikebook-client.js'
import type { OptionSummary } from '../../gateway/client/wire-types.js'
import type { RandomSource } from '../../gateway/feeds/random-source.js'
import { decimalText } from './quote-plan.js'

const positionsMax = 8
const cheapShare = 0.05 // of the index: options that a small account can trade
const notionalPerTradeUsd = 2000

/** A small wallet that takes from the book now and then, so that there are trades. */
export class TakerWallet {
  readonly client: StrikebookClient
  readonly #random: RandomSource
  /** Contracts by symbol, signed. */
  readonly #positions = new Map<string, number>()

  constructor(client: StrikebookClient, random: RandomSource) {
    this.client = client
    this.#random = random
  }

  /** Learns the positions of an earlier run. */
  async load(): Promise<void> {
    const { positions } = await this.client.portfolio()
    for (const { symbol, amount } of positions) this.#positions.set(symbol, Number(amount))
  }

  /** Trades once at the best price of a random option, or closes a position when there are many. */
  async trade(rows: readonly OptionSummary[]): Promise<void> {
    const quoted = rows.filter((row) => row.bid_price > 0 && row.ask_price > 0)
    const held = quoted.filter((row) => (this.#positions.get(row.instrument_name) ?? 0) !== 0)
    if (held.length >= positionsMax) return this.#close(this.#pick(held))
    const cheap = quoted.filter((row) => row.ask_price < row.underlying_price * cheapShare)
    if (cheap.length === 0) return
    const row = this.#pick(cheap)
    const contracts = notionalPerTradeUsd / row.underlying_price
    const unit = 10 ** Math.floor(Math.log10(contracts))
    await this.#take(row, this.#random.next() < 0.5 ? unit : -unit)
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
    const filled = Number(update.filled_size) * Math.sign(contracts)
    const position = Number(((this.#positions.get(symbol) ?? 0) + filled).toFixed(8))
    if (position === 0) this.#positions.delete(symbol)
    else this.#positions.set(symbol, position)
  }

  #pick(rows: readonly OptionSummary[]): OptionSummary {
    return rows[Math.floor(this.#random.next() * rows.length)]!
  }
}
