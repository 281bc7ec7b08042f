import assert from 'node:assert/strict'
import { TwinBook } from '../../bench/twin-book.js'
import { Book } from '../../engine/matching/book.js'
import { firstLevel, indexOfKey, nextLevel } from '../../engine/matching/level-index.js'
import { type BookSink, IncomingOrder } from '../../engine/matching/order-book.js'
import { levelField, OrderPool, orderField } from '../../engine/matching/order-pool.js'
import { priceIndexOf, priceMicrosOf } from '../../engine/matching/price-grid.js'
import { slotShape } from '../../engine/matching/slot-pool.js'
import { lotsPerContract, microsPerUsd } from '../../schemas/bounds.js'
import { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'
import { RemovedCause } from '../../schemas/record-values.js'

// Books as pictures, one row per price, best asks in the middle:
//
//   '     | 102.5 | 7'        an ask of 7 contracts at 102.5 USD
//   '4 2  | 100   |  '        two bids at 100 USD: 4 contracts, and 2 after them in the queue
//   '3@me | 99    |  '        a bid of the account `me`

/** Sink that keeps a book's reports as text: `fill 1 by 2: 3 at 100`, `removed 2 Ioc 1`, `level Sell 100: 4`. */
export class RecordingSink implements BookSink {
  readonly lines: string[] = []

  fill(makerHandle: number, takerHandle: number, priceIndex: number, sizeLots: number): void {
    const trade = `${contracts(sizeLots)} at ${usd(priceIndex)}`
    this.lines.push(`fill ${makerHandle} by ${takerHandle}: ${trade}`)
  }

  removed(handle: number, cause: number, openLots: number): void {
    this.lines.push(`removed ${handle} ${nameOf(RemovedCause, cause)} ${contracts(openLots)}`)
  }

  reduced(handle: number, openLots: number): void {
    this.lines.push(`reduced ${handle} to ${contracts(openLots)}`)
  }

  level(side: Side, priceIndex: number, sizeLots: number): void {
    this.lines.push(`level ${nameOf(Side, side)} ${usd(priceIndex)}: ${contracts(sizeLots)}`)
  }
}

export interface DrawnOrder {
  readonly side: keyof typeof Side
  readonly price: string
  readonly size: string
  readonly tif?: keyof typeof Tif
  readonly selfTrade?: keyof typeof SelfTradeMode
  readonly account?: string
  /** Makes the order reduce-only, for an account with this position at the start of the round. */
  readonly reduces?: string
  /** Price offered outside the book for the whole order, in USD. */
  readonly quoted?: string
}

/** Book with its sink. Handles count from 1, in the order of the rows and, within a row, of the queue. */
export class DrawnBook {
  readonly sink = new RecordingSink()
  readonly book: Book | TwinBook
  readonly accounts: string[] = ['']
  handle = 0
  round = 0

  constructor(kind: 'fast' | 'twin', rows: readonly string[]) {
    this.book = kind === 'fast' ? new Book(new OrderPool(1), this.sink) : new TwinBook(this.sink)
    for (const row of rows) {
      const [bids, price, asks] = row.split('|').map((cell) => cell.trim()) as [
        string,
        string,
        string,
      ]
      for (const [side, cell] of [
        ['Buy', bids],
        ['Sell', asks],
      ] as const) {
        for (const order of cell.split(/\s+/).filter((word) => word !== '')) {
          const [size, account] = order.split('@') as [string, string | undefined]
          this.place({ side, price, size, ...(account === undefined ? {} : { account }) })
        }
      }
    }
    this.sink.lines.length = 0
  }

  /** @returns the contracts that rest */
  place(drawn: DrawnOrder): number {
    return this.book.place(this.incoming(drawn)) / lotsPerContract
  }

  /** Returns true if the book fills an order at least as well as its quote. */
  fillsAsQuoted(drawn: DrawnOrder): boolean {
    return this.book.fillsAsQuoted(this.incoming(drawn))
  }

  replace(oldHandle: number, drawn: DrawnOrder): number {
    return this.book.replace(oldHandle, this.incoming(drawn))
  }

  /** Changes the account's position off the book, to this many contracts. */
  setPosition(account: string, contracts: number): void {
    this.book.setPosition(this.accounts.indexOf(account), contracts * lotsPerContract)
  }

  /** Compares the book with a picture, and its reports since the last call with `lines`. */
  expect(rows: readonly string[], lines?: readonly string[]): void {
    assert.deepEqual(
      this.draw(),
      rows.map(normalRow).filter((row) => row !== ''),
    )
    if (lines !== undefined) assert.deepEqual(this.sink.lines, lines)
    this.sink.lines.length = 0
  }

  draw(): string[] {
    const rows: string[] = []
    const cells = new Map<number, [string[], string[]]>()
    for (const side of [Side.Buy, Side.Sell]) {
      for (const { priceIndex, openLots } of queueOf(this.book, side)) {
        if (!cells.has(priceIndex)) cells.set(priceIndex, [[], []])
        cells.get(priceIndex)?.[side].push(contracts(openLots))
      }
    }
    for (const priceIndex of [...cells.keys()].sort((a, b) => b - a)) {
      const [bids, asks] = cells.get(priceIndex) as [string[], string[]]
      rows.push(`${bids.join(' ')}|${usd(priceIndex)}|${asks.join(' ')}`)
    }
    return rows
  }

  incoming(drawn: DrawnOrder): IncomingOrder {
    const order = new IncomingOrder()
    order.handle = ++this.handle
    order.account = this.accountOf(drawn.account ?? `owner of ${order.handle}`)
    order.side = Side[drawn.side]
    order.tif = Tif[drawn.tif ?? 'Gtc']
    order.selfTrade = SelfTradeMode[drawn.selfTrade ?? 'CancelTaker']
    order.priceIndex = priceIndexOf(Math.round(Number(drawn.price) * microsPerUsd))
    order.sizeLots = Math.round(Number(drawn.size) * lotsPerContract)
    order.isReduceOnly = drawn.reduces !== undefined
    order.positionLots = Math.round(Number(drawn.reduces ?? 0) * lotsPerContract)
    order.round = this.round
    order.quotedMicros = Math.round(Number(drawn.quoted ?? 0) * microsPerUsd)
    return order
  }

  accountOf(name: string): number {
    if (!this.accounts.includes(name)) this.accounts.push(name)
    return this.accounts.indexOf(name)
  }
}

/** Returns the resting orders of a side, in the order in which they trade. */
export function queueOf(
  book: Book | TwinBook,
  side: Side,
): { handle: number; priceIndex: number; openLots: number }[] {
  if (book instanceof TwinBook) {
    return book
      .queue(side)
      .map(({ handle, priceIndex, openLots }) => ({ handle, priceIndex, openLots }))
  }
  const { index, levels, orders } = book.pool
  const found = []
  for (let level = firstLevel(index, book.roots[side]); level !== 0; ) {
    const at = level << slotShape.shift
    const key = levels.words[at + levelField.key]
    const priceIndex = indexOfKey(side, key)
    let slot = levels.words[at + levelField.head]
    while (slot !== 0) {
      const handle = orders.words[(slot << slotShape.shift) + orderField.handle]
      found.push({ handle, priceIndex, openLots: book.openLotsOf(handle) })
      slot = orders.words[(slot << slotShape.shift) + orderField.next]
    }
    level = nextLevel(index, book.roots[side], key)
  }
  return found
}

function normalRow(row: string): string {
  const [bids, price, asks] = row.split('|').map((cell) => cell.trim().replace(/\s+/g, ' '))
  const sizes = (cell: string | undefined): string => (cell ?? '').replace(/@\S+/g, '')
  return price === undefined ? '' : `${sizes(bids)}|${price}|${sizes(asks)}`
}

function usd(priceIndex: number): string {
  return String(priceMicrosOf(priceIndex) / microsPerUsd)
}

function contracts(sizeLots: number): string {
  return String(sizeLots / lotsPerContract)
}

function nameOf(names: Record<string, number>, value: number): string {
  return Object.keys(names).find((name) => names[name] === value) ?? String(value)
}
