import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { sideNames } from '../../schemas/domain.js'
import { type AnyEvent, EventType, FillEvent } from '../../schemas/generated/events.js'
import { formatAddress } from '../../schemas/wallet.js'
import type { DirectiveFill } from '../wire/wire-types.js'
import type { InstrumentNames } from './instrument-names.js'

const fill = new FillEvent()

/**
 * Fills of wallets that wait for the outcome of an order here, by order: an outcome says how much was filled, and the
 * fills come before it. Nothing is kept while nobody waits.
 */
export class StepFills {
  readonly #names: InstrumentNames
  /** By wallet, as lower-case text: how many of its orders are waited for. */
  readonly #waiting = new Map<string, number>()
  readonly #byOrder = new Map<number, DirectiveFill[]>()

  constructor(names: InstrumentNames) {
    this.#names = names
  }

  /** Forgets all: it may have read what was no event, and nobody is answered any more. */
  clear(): void {
    this.#waiting.clear()
    this.#byOrder.clear()
  }

  /** An order of the wallet is on its way: `end` follows in any case. */
  begin(wallet: string): void {
    this.#waiting.set(wallet, (this.#waiting.get(wallet) ?? 0) + 1)
  }

  /** An order has its outcome. @returns what it has traded since it was begun. */
  end(wallet: string, orderId: number): readonly DirectiveFill[] {
    const fills = this.#byOrder.get(orderId) ?? []
    const left = (this.#waiting.get(wallet) ?? 1) - 1
    if (left > 0) this.#waiting.set(wallet, left)
    else this.#waiting.delete(wallet)
    this.#byOrder.delete(orderId)
    if (this.#waiting.size === 0) this.#byOrder.clear()
    return fills
  }

  onEvent(event: AnyEvent): void {
    if (this.#waiting.size === 0 || event.recordType !== EventType.Fill) return
    const { instrument, orderId, priceMicros, side, sizeLots, u8, walletAt } = fill.of(event)
    if (!this.#waiting.has(formatAddress(u8, walletAt))) return
    const fills = this.#byOrder.get(orderId) ?? []
    this.#byOrder.set(orderId, fills)
    fills.push({
      coin: this.#names.instrument(instrument)?.underlying ?? '',
      side: sideNames[side],
      size: formatLots(sizeLots),
      price: formatMicros(priceMicros),
      time: event.timeMillis,
    })
  }
}
