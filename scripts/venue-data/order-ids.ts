import {
  AnyCommand,
  BulkCommand,
  CancelOrderCommand,
  CommandType,
  PlaceOrderCommand,
} from '../../schemas/generated/commands.js'
import type { OutcomeEvent } from '../../schemas/generated/events.js'

const place = new PlaceOrderCommand()
const cancel = new CancelOrderCommand()
const bulk = new BulkCommand()

/** No order has it. */
const idOfNone = 2 ** 52

/**
 * Ids that a run gave to orders, by the commands that they came by: a run in which one order more or less is accepted
 * gives others, and whoever cancels means the same order by another number.
 */
export class OrderIds {
  /** Batch as it was recorded whose commands are being decided. */
  batchNumber = 0
  readonly #ids = new Map<string, number>()
  readonly #commands = new Map<number, string>()

  /** Takes the answer to a command. */
  note({ command, facts, gateway, request, result }: OutcomeEvent): void {
    const isOrder = command === CommandType.PlaceOrder || command === CommandType.ReplaceOrder
    if (!isOrder || result < 0 || gateway < 0 || facts.orderId === 0) return
    const first = `${this.batchNumber} ${gateway} ${request}`
    let key = first
    for (let i = 1; this.#ids.has(key); i++) key = `${first} ${i}`
    this.#ids.set(key, facts.orderId)
    this.#commands.set(facts.orderId, key)
  }

  /** What the order that had this id in the other run has in this one; orders of before have the same in both. */
  translated(id: number, other: OrderIds): number {
    const command = other.#commands.get(id)
    return command === undefined ? id : (this.#ids.get(command) ?? idOfNone)
  }

  /** Names the orders of a command as this run does, in place. */
  translate(command: AnyCommand, other: OrderIds): void {
    switch (command.recordType) {
      case CommandType.CancelOrder:
        cancel.of(command).orderId = this.translated(cancel.orderId, other)
        return
      case CommandType.ReplaceOrder:
        place.of(command).oldOrderId = this.translated(place.oldOrderId, other)
        return
      case CommandType.Bulk: {
        const item = new AnyCommand()
        const { count, itemsAt } = bulk.of(command)
        for (let i = 0, at = itemsAt; i < count; i++, at += item.recordBytes) {
          this.translate(item.over(command.views, at), other)
        }
      }
    }
  }
}
