import { OrderStatus } from '../../../schemas/domain.js'
import { type InstrumentKey, PlaceOrderCommand } from '../../../schemas/generated/commands.js'
import type { Random } from '../random.js'
import type { VirtualClock } from '../virtual-clock.js'
import type { Action, Answer } from './action.js'
import { isOrder } from './command-record.js'
import {
  agentCount,
  agentFrom,
  instrumentPlans,
  optionPlans,
  type PlannedInstrument,
  poorWallet,
  walletCount,
} from './market-plan.js'
import type { ToldAuction } from './told-auctions.js'

/** Of the index, at one price in sixteen each; in a storm it stays where one in six of them has thrown it. */
const jumps = [0.6, 0.75, 0.85, 1.2, 1.35, 1.6]
const calm = { share: 1, jumpIn: 16 } as const
const storm = { jumpIn: 24, lowest: 0.3, highest: 2.5 } as const
const ordersKnown = 60
const actionsKnown = 40
/** Of the known orders the latest are asked for most: they may still work. */
const ordersLate = 25

/** An order that a client was told of. */
export interface KnownOrder {
  readonly orderId: number
  readonly wallet: number
  /** Of its instrument; null: unknown. */
  readonly key: InstrumentKey | null
}

/** What the clients know together, and the seed by which they choose: what generators work from. */
export class TradingDesk {
  readonly random: Random
  readonly clock: VirtualClock
  /** Orders that answers named, the latest last: some work, some have ended. */
  readonly orders: KnownOrder[] = []
  /** Signed actions sent lately. */
  readonly sent: Action[] = []
  /** Auctions that are running, as far as this life's readers were told. */
  auctions: () => readonly ToldAuction[] = () => []
  /** Whether prices run away, so that wallets end in debt. */
  readonly isStorm: boolean
  /** Whether some wallets are so rich that they stand at the border of exact sums. */
  readonly isRich: boolean
  /** Whether wallets trade options that cover each other, more than anything else. */
  readonly isHedging: boolean
  /** Whether options of next to nothing fill some wallets up to that border. */
  readonly isDusty: boolean
  /** Whether what they are written on is suddenly worth a lot before its end, and not at its end only. */
  readonly isDustRising: boolean
  /** Whether those who write them can pay what they may owe. */
  readonly isDustPaid: boolean
  /** Which way wallets with little bet on perps. */
  readonly isRising: boolean
  /** Of the first index, the share that the operator sent last for any underlying. */
  lastShare = 1
  #nonce = 1000
  #share: number = calm.share

  constructor(random: Random, clock: VirtualClock) {
    this.random = random
    this.clock = clock
    this.isStorm = random.chance(0.4)
    this.isRising = random.chance(0.5)
    this.isRich = random.chance(0.25)
    this.isHedging = random.chance(0.4)
    this.isDusty = random.chance(0.25)
    this.isDustRising = random.chance(0.3)
    this.isDustPaid = random.chance(0.5)
  }

  /** The next price of an index, as a share of its first. */
  indexShare(): number {
    this.lastShare = this.#nextShare()
    return this.lastShare
  }

  #nextShare(): number {
    const { random } = this
    const noise = 0.98 + 0.0004 * random.below(100)
    const jump: number | undefined = jumps[random.below(this.isStorm ? storm.jumpIn : calm.jumpIn)]
    if (!this.isStorm) return jump ?? noise
    const { lowest, highest } = storm
    this.#share = Math.min(highest, Math.max(lowest, this.#share * (jump ?? 1)))
    return this.#share * noise
  }

  /** Mostly one of those that can pay. */
  wallet(): number {
    const count = this.random.below(10) === 0 ? walletCount : poorWallet - 1
    return this.random.between(1, count)
  }

  agent(): number {
    return agentFrom + this.random.below(agentCount)
  }

  /** Mostly the first few: a market needs orders that meet. */
  instrument(): PlannedInstrument {
    const { random } = this
    return random.chance(0.4) ? instrumentPlans[random.below(2)] : random.pick(instrumentPlans)
  }

  /** The option that expires next, or null when none does. */
  nextToExpire(): PlannedInstrument | null {
    const nowMillis = this.clock.now()
    const coming = optionPlans.filter(({ expiryMillis }) => expiryMillis > nowMillis)
    const [next] = coming.toSorted((one, other) => one.expiryMillis - other.expiryMillis)
    return next ?? null
  }

  /** Mostly rising, now and then far below, now and then above 32 bits. */
  nonce(): { readonly high: number; readonly low: number } {
    const { random } = this
    const kind = random.below(16)
    if (kind === 0) return { high: 0, low: 1 + random.below(900) }
    if (kind === 1) return { high: 0, low: Math.max(1, this.#nonce - random.below(50)) }
    return { high: kind === 2 ? 1 : 0, low: this.#nonce++ }
  }

  digest(): number {
    return this.random.next()
  }

  clientId(): string {
    return this.random.below(3) === 0 ? `c${this.random.below(5)}` : ''
  }

  get knowsOrders(): boolean {
    return this.orders.length > 0
  }

  /** An order to cancel or replace, when any is known: mostly one that its wallet knows, sometimes anything. */
  order(): KnownOrder {
    const { random } = this
    if (!this.knowsOrders || random.below(16) === 0) {
      return { orderId: random.below(900) * 1024, wallet: this.wallet(), key: null }
    }
    const latest = Math.max(0, this.orders.length - 1 - random.below(ordersLate))
    const known = this.orders[latest]
    if (random.below(4) > 0) this.orders.splice(latest, 1)
    return random.below(12) === 0 ? { ...known, wallet: this.wallet() } : known
  }

  /** Orders of one wallet, for whoever wants them all gone. */
  ordersOf(wallet: number, most: number): KnownOrder[] {
    return this.orders.filter((order) => order.wallet === wallet).slice(-most)
  }

  noteSent(action: Action): void {
    if (action.key === '') return
    this.sent.push(action)
    if (this.sent.length > actionsKnown) this.sent.shift()
  }

  noteAnswer(action: Action, answer: Answer): void {
    const rests =
      answer.status === OrderStatus.Acked || answer.status === OrderStatus.PartiallyFilled
    if (answer.orderId === 0 || !(rests || this.random.below(10) === 0)) return
    const { command } = action
    const key = isOrder(command) ? new PlaceOrderCommand().of(command).key : null
    this.orders.push({ orderId: answer.orderId, wallet: action.wallet, key })
    if (this.orders.length > ordersKnown) this.orders.shift()
  }
}
