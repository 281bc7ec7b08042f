import { effect, signal } from '@preact/signals'
import type { Trade as PublicTrade } from '../../client/generated/interface.js'
import { type BookLevel, type BookState, LocalBook } from '../../client/local-book.js'
import { underlyingOf } from '../model/symbol-text.js'
import { chosenSymbol, chosenUnderlying } from './choice.js'
import { onMessage, rest, stream } from './venue.js'

/** Trade in the list of trades. */
export interface Trade {
  readonly id: number
  readonly symbol: string
  readonly side: 'Buy' | 'Sell'
  readonly price: string
  readonly size: string
  readonly millis: number
}

export interface ShownBook {
  readonly symbol: string
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
  readonly state: BookState
}

const tapeRows = 40
const bookMillis = 150

/** Book of the chosen instrument. */
export const book = signal<ShownBook | null>(null)
/** Trades of the chosen underlying, the latest first. */
export const tape = signal<readonly Trade[]>([])

let tapeOf = ''

export function startBook(): void {
  effect(() => {
    const symbol = chosenSymbol.value
    if (symbol === null) return
    return keepBook(symbol)
  })
  effect(() => {
    const symbol = chosenSymbol.value
    const underlying = symbol === null ? chosenUnderlying.value : underlyingOf(symbol)
    if (underlying !== null) void loadTape(underlying)
  })
  onMessage('Trade', ({ symbol, side: taker, price, size, trade_id: id, timestamp: millis }) => {
    if (underlyingOf(symbol) !== tapeOf) return
    const side = taker === 'buy' ? 'Buy' : 'Sell'
    addTrades([{ id, symbol, side, price, size, millis }])
  })
  stream.subscribe('trades')
}

/** Follows a book, and limits how often it is redrawn. @returns a function that stops it. */
function keepBook(symbol: string): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  const show = () => {
    timer = null
    const { bids, asks, state } = local
    book.value = { symbol, bids, asks, state }
  }
  const local = new LocalBook({
    ...{ stream, rest, symbol },
    onChange: () => {
      timer ??= setTimeout(show, book.peek()?.symbol === symbol ? bookMillis : 0)
    },
  })
  return () => {
    local.close()
    if (timer !== null) clearTimeout(timer)
  }
}

async function loadTape(underlying: string): Promise<void> {
  if (underlying === tapeOf) return
  tapeOf = underlying
  tape.value = []
  try {
    const { data } = await rest.request<{ data: readonly PublicTrade[] }>('GET', '/trades', {
      query: { underlying, limit: tapeRows },
    })
    if (underlying === tapeOf) addTrades(data.map(tradeOf))
  } catch {
    tapeOf = ''
  }
}

function tradeOf(row: PublicTrade): Trade {
  const { trade_id: id, symbol, taker_side, price, size, timestamp: millis } = row
  return { id, symbol, side: taker_side as Trade['side'], price, size, millis }
}

/** Merges trades by id. The list may arrive after newer trades of the stream. */
function addTrades(trades: readonly Trade[]): void {
  const known = new Map([...tape.peek(), ...trades].map((trade) => [trade.id, trade]))
  tape.value = [...known.values()].sort((one, other) => other.id - one.id).slice(0, tapeRows)
}
