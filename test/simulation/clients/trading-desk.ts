import { OrderStatus, Tif } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CommandType,
  type InstrumentKey,
  PlaceOrderCommand,
} from '../../../schemas/generated/commands.js'
import type { Random } from '../run/random.js'
import type { VirtualClock } from '../run/virtual-clock.js'
import type { Outcome } from '../told/log-events.js'
import type { ToldAuction } from '../told/told-auctions.js'
import type { ToldProvider } from '../told/told-providers.js'
import type { ToldRfqs } from '../told/told-rfqs.js'
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

/** Of the index, at one price in sixteen each; in a storm it stays where one in six of them has thrown it. */
const jumps = [0.6, 0.75, 0.85, 1.2, 1.35, 1.6]
const calm = { share: 1, jumpIn: 16 } as const
const storm = { jumpIn: 24, lowest: 0.3, highest: 2.5 } as const
const ordersKnown = 60
const actionsKnown = 40
/** Of the known orders the latest are asked for most: they may still work. */
const ordersLate = 25

/** Makes one action out of what the clients know; null when there is nothing to make it of. */
export interface CommandGenerator {
  readonly weight: number
  readonly make: (desk: TradingDesk) => Action | null
}

/** An order that a client was told of. */
export interface KnownOrder {
  readonly orderId: number
  readonly wallet: number
  /** Of its instrument; null: unknown. */
  readonly key: InstrumentKey | null
}

/** The next nonce of a line. */
interface Nonces {
  next: number
  /** Each one is the next, and none is drawn. */
  readonly isRising?: boolean
}

/** What the clients know together, and the seed by which they choose: what generators work from. */
export class TradingDesk {
  readonly random: Random
  readonly clock: VirtualClock
  /** Orders that answers named, the latest last: some work, some have ended. */
  readonly orders: KnownOrder[] = []
  /** Signed actions sent lately. */
  readonly sent: Action[] = []
  /** By wallet: micros that it was told it can withdraw, and has not asked for yet. */
  readonly spare = new Map<number, number>()
  /** Auctions that are running, as far as this life's readers were told. */
  auctions: () => readonly ToldAuction[] = () => []
  /** Requests for quote, likewise. */
  rfqs: () => Pick<ToldRfqs, 'open' | 'ended'> = () => ({ open: [], ended: [] })
  /** Quote providers, likewise. */
  providers: () => readonly ToldProvider[] = () => []
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
  readonly #nonces: Nonces
  #share: number = calm.share

  /** @param nonces of desks that share the wallets: one line of them, or each begins elsewhere. */
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

  /** One of those with little beside what they trade, or one that can pay for anything. */
  smallOrRich(isSmall: boolean): number {
    const { random } = this
    return isSmall
      ? random.between(1, smallWallets)
      : random.between(smallWallets + 1, poorWallet - 1)
  }

  /** Signs a record for a wallet: by itself, or by an agent that it may have approved. */
  signed<Command extends AnyCommand>(command: Command, wallet = this.wallet()): Action<Command> {
    const signer = this.random.below(20) === 0 ? this.agent() : wallet
    setWallet(command, wallet)
    return this.#signedBy(signer, command, wallet)
  }

  /** Signed by the wallet that acts, which stands in no other field. */
  signedByOwner(command: AnyCommand): Action {
    const wallet = this.wallet()
    return this.#signedBy(wallet, command, wallet)
  }

  /** An order in an instrument, good till cancelled unless its fields say otherwise; with an old one it replaces that. */
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

  /** Mostly rising, now and then far below, now and then above 32 bits. */
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

  /** An order to cancel or replace, where any is known: mostly one that its wallet knows, sometimes anything. */
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

  /** Orders of one wallet, for whoever wants them all gone. */
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
