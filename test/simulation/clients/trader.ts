import { OrderStatus, Tif } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CommandType,
  type InstrumentKey,
  PlaceOrderCommand,
} from '../../../schemas/generated/commands.js'
import type { Outcome } from '../published/log-events.js'
import type { PublishedAuction } from '../published/published-auctions.js'
import type { PublishedProvider } from '../published/published-providers.js'
import type { PublishedRfqs } from '../published/published-rfqs.js'
import type { Random } from '../run/random.js'
import type { VirtualClock } from '../run/virtual-clock.js'
import { Action } from './action.js'
import { commandOf, isOrder, setDigest, setKey, setWallet } from './command-record.js'
import {
  addressOf,
  agentCount,
  agentFrom,
  instrumentPlans,
  optionPlans,
  type PlannedInstrument,
  poorWallet,
  smallWallets,
  walletCount,
} from './market-plan.js'

/**
 * Factors of the index: one price in sixteen jumps by one of these. In a storm the index stays where a jump has moved
 * it.
 */
const jumps = [0.6, 0.75, 0.85, 1.2, 1.35, 1.6]
const calm = { share: 1, jumpIn: 16 } as const
const storm = { jumpIn: 24, lowest: 0.3, highest: 2.5 } as const
const ordersKnown = 60
const actionsKnown = 40
/** The latest orders are picked most often: they may still work. */
const ordersLate = 25

/** Generator of one action from what the clients know, or null if that does not suffice. */
export interface CommandGenerator {
  readonly weight: number
  readonly make: (trader: Trader) => Action | null
}

/** Order that a client learned of from an answer. */
export interface KnownOrder {
  readonly orderId: number
  readonly wallet: number
  /** Key of its instrument; null if unknown. */
  readonly key: InstrumentKey | null
}

/** Next nonce of a sequence. */
interface Nonces {
  next: number
  /** True if each nonce is the next one, without a random draw. */
  readonly isRising?: boolean
}

/** Shared knowledge of the clients, and the random stream of their generators. */
export class Trader {
  readonly random: Random
  readonly clock: VirtualClock
  /** Orders that answers named, the latest last: some work, some have ended. */
  readonly orders: KnownOrder[] = []
  /** Signed actions sent lately. */
  readonly sent: Action[] = []
  /** By wallet: micros that an answer said it can withdraw, and that it has not requested yet. */
  readonly spare = new Map<number, number>()
  /** Running auctions, as far as this life's readers know. */
  auctions: () => readonly PublishedAuction[] = () => []
  /** Requests for quote, likewise. */
  rfqs: () => Pick<PublishedRfqs, 'open' | 'ended'> = () => ({ open: [], ended: [] })
  /** Quote providers, likewise. */
  providers: () => readonly PublishedProvider[] = () => []
  /** True if prices run away, so that wallets end in debt. */
  readonly isStorm: boolean
  /** True if some wallets are so rich that they are at the limit of exact sums. */
  readonly isRich: boolean
  /** True if wallets mostly trade options that cover each other. */
  readonly isHedging: boolean
  /** True if options of the almost worthless underlying bring some wallets to that limit. */
  readonly isDusty: boolean
  /** True if that underlying becomes valuable before its expiry, and not only at it. */
  readonly isDustRising: boolean
  /** True if the writers of these options can pay their possible debts. */
  readonly isDustPaid: boolean
  /** Direction in which poor wallets bet on perps. */
  readonly isRising: boolean
  /** Latest index the operator sent for any underlying, as a share of the first one. */
  lastShare = 1
  readonly #nonces: Nonces
  #share: number = calm.share

  /** @param nonces one sequence for all clients that share the wallets, or one per client with its own start */
  constructor(random: Random, clock: VirtualClock, nonces: Nonces) {
    this.random = random
    this.clock = clock
    this.#nonces = nonces
    this.isStorm = random.chance(0.4)
    this.isRising = random.chance(0.5)
    this.isRich = random.chance(0.25)
    this.isHedging = random.chance(0.4)
    this.isDusty = random.chance(0.25)
    this.isDustRising = random.chance(0.3)
    this.isDustPaid = random.chance(0.5)
  }

  /** Returns the next price of an index, as a share of its first. */
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

  /** Mostly returns a wallet that can pay. */
  wallet(): number {
    const count = this.random.below(10) === 0 ? walletCount : poorWallet - 1
    return this.random.between(1, count)
  }

  agent(): number {
    return agentFrom + this.random.below(agentCount)
  }

  /** Mostly returns one of the first instruments: a market needs orders that meet. */
  instrument(): PlannedInstrument {
    const { random } = this
    return random.chance(0.4) ? instrumentPlans[random.below(2)] : random.pick(instrumentPlans)
  }

  /** Returns the option that expires next, or null. */
  nextToExpire(): PlannedInstrument | null {
    const nowMillis = this.clock.now()
    const coming = optionPlans.filter(({ expiryMillis }) => expiryMillis > nowMillis)
    const [next] = coming.toSorted((one, other) => one.expiryMillis - other.expiryMillis)
    return next ?? null
  }

  /** Returns a poor wallet, or one that can pay for anything. */
  smallOrRich(isSmall: boolean): number {
    const { random } = this
    return isSmall
      ? random.between(1, smallWallets)
      : random.between(smallWallets + 1, poorWallet - 1)
  }

  /** Signs a record for a wallet: by the wallet itself, or by an address that may be its agent. */
  signed<Command extends AnyCommand>(command: Command, wallet = this.wallet()): Action<Command> {
    const signer = this.random.below(20) === 0 ? this.agent() : wallet
    setWallet(command, wallet)
    return this.#signedBy(signer, command, wallet)
  }

  /** Signs by the acting wallet, which no other field names. */
  signedByOwner(command: AnyCommand): Action {
    const wallet = this.wallet()
    return this.#signedBy(wallet, command, wallet)
  }

  /** Returns a signed order, GTC unless the fields say otherwise; with `oldOrderId` it replaces that order. */
  signedOrder(
    wallet: number,
    instrument: PlannedInstrument,
    fields: Partial<PlaceOrderCommand>,
  ): Action<PlaceOrderCommand> {
    const isNew = fields.oldOrderId === undefined
    const type = isNew ? CommandType.PlaceOrder : CommandType.ReplaceOrder
    const order = commandOf(PlaceOrderCommand, { tif: Tif.Gtc, ...fields }, type)
    setKey(order.key, instrument)
    return this.signed(order, wallet)
  }

  #signedBy<Command extends AnyCommand>(
    signer: number,
    command: Command,
    wallet: number,
  ): Action<Command> {
    command.u8.set(addressOf(signer), command.signerAt)
    Object.assign(command, this.#nonce())
    setDigest(command, this.random.next())
    return new Action(command, wallet)
  }

  /** Mostly rising, sometimes far below, sometimes above 32 bits. */
  #nonce(): Pick<AnyCommand, 'nonceHigh' | 'nonceLow'> {
    const { random } = this
    if (this.#nonces.isRising === true) return { nonceHigh: 0, nonceLow: this.#nonces.next++ }
    const kind = random.below(16)
    if (kind === 0) return { nonceHigh: 0, nonceLow: 1 + random.below(900) }
    if (kind === 1)
      return { nonceHigh: 0, nonceLow: Math.max(1, this.#nonces.next - random.below(50)) }
    return { nonceHigh: kind === 2 ? 1 : 0, nonceLow: this.#nonces.next++ }
  }

  clientId(): string {
    return this.random.below(3) === 0 ? `c${this.random.below(5)}` : ''
  }

  /** Returns an order to cancel or replace, if any is known: mostly one of its wallet, sometimes a random id. */
  order(): KnownOrder {
    const { random } = this
    if (random.below(16) === 0) {
      return { orderId: random.below(900) * 1024, wallet: this.wallet(), key: null }
    }
    const latest = Math.max(0, this.orders.length - 1 - random.below(ordersLate))
    const known = this.orders[latest]
    if (random.below(4) > 0) this.orders.splice(latest, 1)
    return random.below(12) === 0 ? { ...known, wallet: this.wallet() } : known
  }

  /** Returns orders of one wallet, for a caller that ends all of them. */
  ordersOf(wallet: number, most: number): KnownOrder[] {
    return this.orders.filter((order) => order.wallet === wallet).slice(-most)
  }

  noteSent(action: Action): void {
    if (action.key === '') return
    this.sent.push(action)
    if (this.sent.length > actionsKnown) this.sent.shift()
  }

  noteAnswer({ command, wallet }: Action, { status, orderId }: Outcome): void {
    const rests = status === OrderStatus.Acked || status === OrderStatus.PartiallyFilled
    if (orderId === 0 || !(rests || this.random.below(10) === 0)) return
    const key = isOrder(command) ? new PlaceOrderCommand().of(command).key : null
    this.orders.push({ orderId, wallet, key })
    if (this.orders.length > ordersKnown) this.orders.shift()
  }
}
