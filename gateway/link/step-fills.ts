import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { sideNames } from '../../schemas/domain.js'
import { type AnyEvent, EventType, FillEvent } from '../../schemas/generated/events.js'
import type { DirectiveAnswer } from '../../schemas/interface/perps.js'
import { formatAddress } from '../../schemas/wallet.js'
import type { InstrumentNames } from './instrument-names.js'

/** Fill of a perp order, for answers. */
export type DirectiveFill = NonNullable<DirectiveAnswer['fills']>[number]

const fill = new FillEvent()

/** Wallet with pending orders. */
interface PendingWallet {
  /** Number of pending orders. */
  count: number
  /** Order of the wallet that traded last as the incoming order, and its fills. */
  orderId: number
  fills: DirectiveFill[]
}

/**
 * Fills of wallets with pending orders on this gateway. An acknowledgement contains only the filled size; its fills
 * directly precede it, and follow that of the wallet's previous order. So it suffices to retain those of a wallet's
 * latest order, and nothing while no order is pending.
 */
export class StepFills {
  readonly #names: InstrumentNames
  /** By wallet, as lower-case text. */
  readonly #pending = new Map<string, PendingWallet>()

  constructor(names: InstrumentNames) {
    this.#names = names
  }

  /** Number of fills retained. */
  get count(): number {
    return [...this.#pending.values()].reduce((sum, { fills }) => sum + fills.length, 0)
  }

  /** Forgets everything, after the pump may have read overwritten records and pending requests were given up. */
  clear(): void {
    this.#pending.clear()
  }

  /** Notes a pending order of the wallet. `end` follows in any case. */
  begin(wallet: string): void {
    const pending = this.#pending.get(wallet)
    if (pending === undefined) this.#pending.set(wallet, { count: 1, orderId: 0, fills: [] })
    else pending.count++
  }

  /** Notes the acknowledgement of an order. @returns Its fills as the incoming order. */
  end(wallet: string, orderId: number): readonly DirectiveFill[] {
    const pending = this.#pending.get(wallet)
    if (pending === undefined) return []
    if (--pending.count === 0) this.#pending.delete(wallet)
    if (pending.orderId !== orderId) return []
    const { fills } = pending
    pending.fills = []
    return fills
  }

  onEvent(event: AnyEvent): void {
    if (this.#pending.size === 0 || event.recordType !== EventType.Fill) return
    const { instrument, isTaker, orderId, priceMicros, side, sizeLots, u8, walletAt } =
      fill.of(event)
    // A resting order has been acknowledged already.
    if (isTaker === 0) return
    const pending = this.#pending.get(formatAddress(u8, walletAt))
    if (pending === undefined) return
    if (pending.orderId !== orderId) {
      pending.orderId = orderId
      pending.fills = []
    }
    pending.fills.push({
      coin: this.#names.instrument(instrument)?.underlying ?? '',
      side: sideNames[side],
      size: formatLots(sizeLots),
      price: formatMicros(priceMicros),
      time: event.timeMillis,
    })
  }
}
