import { InvalidArgumentError } from 'commander'
import type { Ring } from '../../../engine/memory/ring.js'
import { nobody } from '../../../engine/publish/publish-orders.js'
import type { CoreState } from '../../../engine/state/core-state.js'
import { createSigning } from '../../../gateway/actions/signing.js'
import {
  type OrderRequest,
  readOrder,
  streamOrder,
} from '../../../gateway/commands/order-request.js'
import { writeOrder } from '../../../gateway/commands/write-order.js'
import { QuoteBoard } from '../../../gateway/quotes/quote-board.js'
import { QuoteScope } from '../../../gateway/quotes/quote-rows.js'
import { RowsAgainst } from '../../../gateway/quotes/rows-against.js'
import { Fault } from '../../../gateway/wire/fault.js'
import { isJsonObject, type JsonObject } from '../../../gateway/wire/request-fields.js'
import { AnyCommand } from '../../../schemas/generated/commands.js'
import { parsePerpSymbol, perpOf } from '../../../schemas/symbol.js'
import { parseAddress } from '../../../schemas/wallet.js'

/** Validated order that no client sent. */
export interface InsertedOrder {
  readonly order: OrderRequest
  /** Indicative quotes of providers for its instrument. */
  readonly quotes: readonly ShownQuote[]
}

interface ShownQuote {
  readonly wallet: string
  readonly bidPrice: string
  readonly askPrice: string
  readonly maxBidSize: string
  readonly maxAskSize: string
}

const quoteFields = ['bid_price', 'ask_price', 'max_bid_size', 'max_ask_size'] as const
/** Placeholders for the nonce and the signature that a request body must have. */
const unsigned = { nonce: 0, signature: '0x' }
const signing = createSigning('', 0, true)
const command = new AnyCommand()
const microsPerMilli = 1000
const nonceHalf = 2 ** 32
/** The rows are on a board of their own, all for one instrument. */
const onlyInstrument = 0

/**
 * Reads an order from JSON: the fields of the stream's PlaceOrder, for options and perps, and `quotes`.
 * @throws InvalidArgumentError
 */
export function readInserted(text: string): InsertedOrder {
  const { quotes = [], ...body } = parsed(text)
  const order = readOrder({ ...body, ...unsigned }, streamOrder, signing)
  if (order instanceof Fault) throw new InvalidArgumentError(order.message)
  order.wallet = order.wallet.slice()
  if (order.option === null) {
    const underlying = parsePerpSymbol(order.symbol)
    if (underlying === null) throw new InvalidArgumentError(`symbol: ${order.symbolDetail}`)
    order.option = perpOf(underlying)
  }
  if (!Array.isArray(quotes)) throw new InvalidArgumentError('quotes must be a list')
  return { order, quotes: quotes.map(readQuote) }
}

/** Writes the order as a command signed by its wallet. The nonce is derived from the time. */
export function putOrder(
  { order, quotes }: InsertedOrder,
  index: number,
  ring: Ring,
  state: CoreState,
  timeMillis: number,
): void {
  const nonce = timeMillis * microsPerMilli + index
  order.nonce = nonce
  order.nonceHigh = Math.floor(nonce / nonceHalf)
  order.nonceLow = (nonce % nonceHalf) | 0
  signing.signer.set(order.wallet)
  signing.digester.order(order, signing.digest)
  const tryClaim = (bytes: number, type: number) => {
    const at = ring.tryClaim(bytes, type)
    if (at >= 0) command.over(ring, at).clear().gateway = nobody
    return at
  }
  const isWritten = writeOrder({ views: ring, tryClaim }, signing, order, shownOf(quotes, state))
  if (!isWritten) throw new Error('no room for an order')
}

/** Returns the quotes in the form that a gateway keeps them. */
function shownOf(quotes: readonly ShownQuote[], { accounts }: CoreState): RowsAgainst {
  const board = new QuoteBoard()
  for (const [index, { wallet, ...texts }] of quotes.entries()) {
    board.setAccount(wallet, accounts.find(parseAddress(wallet)!, 0))
    const scope = new QuoteScope(0, index, wallet, '', 0)
    board.openScope(scope)
    const row = { row: index, instrument: onlyInstrument, frame: 0, updatedMillis: 0 }
    board.setRow(scope, { ...row, ...texts })
  }
  return new RowsAgainst(board, () => onlyInstrument)
}

function readQuote(quote: unknown): ShownQuote {
  if (!isJsonObject(quote)) throw new InvalidArgumentError('quotes must be a list of objects')
  const wallet = String(quote['wallet']).toLowerCase()
  if (parseAddress(wallet) === null)
    throw new InvalidArgumentError('quotes: wallet must be an address')
  const [bidPrice, askPrice, maxBidSize, maxAskSize] = quoteFields.map((name) => {
    const value = quote[name] ?? '0'
    if (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) return value
    throw new InvalidArgumentError(`quotes: ${name} must be a decimal string`)
  }) as [string, string, string, string]
  return { wallet, bidPrice, askPrice, maxBidSize, maxAskSize }
}

function parsed(text: string): JsonObject {
  let order: unknown
  try {
    order = JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('must be an order as JSON')
  }
  if (!isJsonObject(order)) throw new InvalidArgumentError('must be a JSON object')
  return order
}
