import { IncomingOrder, notResting, type OrderBook } from '../../engine/matching/order-book.js'
import { type Side, Tif } from '../../schemas/domain.js'
import { immediateBit, kindMask, MessageKind, sellBit } from './replay-file.js'
import type { ReplayFlow } from './replay-flow.js'
import { BlockType, ReportType, termsOf } from './report-record.js'
import type { ReportWriter } from './report-writer.js'

const { New: newOrder, Cancel: cancel } = MessageKind
const { OrderAck: orderAck, CancelAck: cancelAck, ModifyAck: modifyAck } = ReportType
const { CancelReject: cancelReject, ModifyReject: modifyReject } = ReportType
const { Gtc: gtc, Ioc: ioc } = Tif
const [kindBits, sell, immediate] = [kindMask, sellBit, immediateBit]
const missing = notResting

/**
 * Sends the messages of a flow to a book. Each order has its own account, so self-trade prevention never applies. A modify
 * has a price and a quantity. Its order keeps its side, and rests as before.
 */
export class ReplayDriver {
  readonly book: OrderBook
  readonly flow: ReplayFlow
  readonly writer: ReportWriter
  readonly order = new IncomingOrder()
  /** Side of the latest order of each handle, which the core knows in production. */
  readonly sides: Uint8Array

  constructor(book: OrderBook, flow: ReplayFlow, writer: ReportWriter) {
    this.book = book
    this.flow = flow
    this.writer = writer
    this.sides = new Uint8Array(flow.handleCount)
  }

  /**
   * Runs the messages from `from` up to `to`, exclusive.
   * @throws Error if a new order reuses the id of a resting one: the format has no report for that.
   */
  run(from: number, to: number): void {
    const { book, writer, order, sides } = this
    const { handles, priceIndexes, reusesIds } = this.flow
    const { kinds, quantities } = this.flow.file
    for (let message = from; message < to; message++) {
      const kind = kinds[message]
      const handle = handles[message]
      writer.sequence = message
      if ((kind & kindBits) === cancel) {
        const isGone = book.cancel(handle) !== missing
        const terms = isGone ? termsOf(cancelAck, writer.levelSide, 0) : cancelReject
        writer.write(terms, handle, writer.levelPriceIndex, 0)
        continue
      }
      const isNew = (kind & kindBits) === newOrder
      const side = isNew ? (kind & sell) >> 2 : sides[handle]
      const priceIndex = priceIndexes[message]
      const quantity = quantities[message]
      order.handle = handle
      order.account = handle
      order.side = side as Side
      order.priceIndex = priceIndex
      order.sizeLots = quantity
      order.round = message
      order.tif = isNew && (kind & immediate) !== 0 ? ioc : gtc
      if (isNew) {
        if (reusesIds) this.assertNotOpen(message, handle)
        sides[handle] = side
        writer.side = side
        writer.priceIndex = priceIndex
        writer.write(termsOf(orderAck, side, quantity), handle, priceIndex, 0)
        book.place(order)
      } else {
        const isDone = book.replace(handle, order) !== missing
        const terms = isDone ? termsOf(modifyAck, side, quantity) : modifyReject
        writer.write(terms, handle, priceIndex, 0)
      }
    }
  }

  /** Sends the last block of a run. */
  end(): void {
    this.writer.closeBlock(BlockType.LastReports)
  }

  assertNotOpen(message: number, handle: number): void {
    if (this.book.openLotsOf(handle) === missing) return
    throw new Error(`message ${message}: order ${this.flow.orderIdOf(handle)} is still open`)
  }
}
