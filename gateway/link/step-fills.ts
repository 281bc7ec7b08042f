import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { sideNames } from '../../schemas/domain.js'
import { type AnyEvent, EventType, FillEvent } from '../../schemas/generated/events.js'
import type { DirectiveAnswer } from '../../schemas/interface/perps.js'
import { formatAddress } from '../../schemas/wallet.js'
import type { InstrumentNames } from './instrument-names.js'

/** Fill of an order of a perp, for answers. */
export type DirectiveFill = NonNullable<DirectiveAnswer['fills']>[number]

const fill = new FillEvent()

/** A wallet whose orders are waited for. */
interface Waiting {
  /** How many of them. */
  count: number
  /** The order of the wallet that traded last as the incoming one, and what it traded. */
  orderId: number
  fills: DirectiveFill[]
}

/**
 * Fills of wallets that wait for the outcome of an order here: an outcome says how much was filled, and the fills come
 * right before it, those of one order behind the outcome of the one before. So only those of the latest order of a
 * wallet are kept, however many orders of it trade meanwhile, and nothing while nobody waits.
 */
export class StepFills {
  readonly #names: InstrumentNames
  /** By wallet, as lower-case text. */
  readonly #waiting = new Map<string, Waiting>()

  constructor(names: InstrumentNames) {
    this.#names = names
  }

  /** Fills that are kept. */
  get count(): number {
    return [...this.#waiting.values()].reduce((sum, { fills }) => sum + fills.length, 0)
  }

  /** Forgets all: it may have read what was no event, and nobody is answered any more. */
  clear(): void {
    this.#waiting.clear()
  }

  /** An order of the wallet is on its way: `end` follows in any case. */
  begin(wallet: string): void {
    const waiting = this.#waiting.get(wallet)
    if (waiting === undefined) this.#waiting.set(wallet, { count: 1, orderId: 0, fills: [] })
    else waiting.count++
  }

  /** An order has its outcome. @returns what it has traded as it came in. */
  end(wallet: string, orderId: number): readonly DirectiveFill[] {
    const waiting = this.#waiting.get(wallet)
    if (waiting === undefined) return []
    if (--waiting.count === 0) this.#waiting.delete(wallet)
    if (waiting.orderId !== orderId) return []
    const { fills } = waiting
    waiting.fills = []
    return fills
  }

  onEvent(event: AnyEvent): void {
    if (this.#waiting.size === 0 || event.recordType !== EventType.Fill) return
    const { instrument, isTaker, orderId, priceMicros, side, sizeLots, u8, walletAt } =
      fill.of(event)
    // An order that rests has its outcome already.
    if (isTaker === 0) return
    const waiting = this.#waiting.get(formatAddress(u8, walletAt))
    if (waiting === undefined) return
    if (waiting.orderId !== orderId) {
      waiting.orderId = orderId
      waiting.fills = []
    }
    waiting.fills.push({
      coin: this.#names.instrument(instrument)?.underlying ?? '',
      side: sideNames[side],
      size: formatLots(sizeLots),
      price: formatMicros(priceMicros),
      time: event.timeMillis,
    })
  }
}
