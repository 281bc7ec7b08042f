import { type EngineConfig, engineConfigDefault } from '../../engine/state/market/engine-config.js'
import {
  DeliveryStatus,
  HaltMode,
  SelfTradeMode,
  Tier,
  WithdrawalVerdict,
} from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { NotedFile, PushActionKind } from '../../schemas/record-values.js'
import { setCompetition } from './competition-rig.js'
import type { CoreRig } from './core-rig.js'
import { strayBid } from './liquidation-rig.js'
import { dropPushOf, pushActionOf } from './push-rig.js'
import { referralCodeOf, setReferrer } from './referral-rig.js'
import {
  acceptQuote,
  declineRfq,
  type PublishedQuote,
  quoteRfq,
  type RigLeg,
  submitRfq,
} from './rfq-rig.js'
import type { RigInstrument } from './rig-commands.js'
import { cancelAllOf, endConnectionOf, setDeadMan, setOnDisconnect } from './safety-rig.js'
import { judgeUsername, requestUsername } from './username-rig.js'
import { judgeOf, noteFileOf, settleOf, withdrawOf } from './withdrawal-rig.js'

/** Market of the commands. */
export interface MixedMarket {
  readonly underlyings: readonly string[]
  /** Expiry of all options, as a date, YYYYMMDD, and as a time. */
  readonly expiryDate: number
  readonly expiryMillis: number
  readonly config: EngineConfig
}

/** Market on the rig's own clock. */
export const rigMarket: MixedMarket = {
  underlyings: ['BTC', 'ETH'],
  expiryDate: 20260131,
  expiryMillis: Date.UTC(2026, 0, 31),
  config: engineConfigDefault,
}

const strike = 110_000
/** Quote that no provider has made. */
const strayQuote: PublishedQuote = { id: new Uint8Array(16), net: -3100 }

/** Random commands of all types, valid and invalid ones; the same for the same seed. */
export class MixedCommands {
  /** Order that cancels and replaces name: the latest one published. */
  orderId = 1024
  readonly #rig: CoreRig
  readonly #market: MixedMarket
  #random: number
  #operated = 0
  #moded = 0

  /** @param rig rig whose command ring receives them */
  constructor(rig: CoreRig, seed: number, market: MixedMarket = rigMarket) {
    this.#rig = rig
    this.#random = seed
    this.#market = market
  }

  /** Lists options, prices them and funds wallets 1 to 4. */
  open(): void {
    const rig = this.#rig
    rig.configure(this.#market.config)
    for (const underlying of this.#market.underlyings) {
      this.#list(underlying, strike)
      rig.index(100_000, underlying)
      rig.surface(0.6, underlying, this.#market.expiryMillis)
    }
    for (const wallet of [1, 2, 3, 4]) rig.deposit(wallet, 300_000, `first-${wallet}`)
  }

  /** Writes the next command. */
  next(): void {
    const rig = this.#rig
    const wallet = 1 + this.below(4)
    const underlying = this.#underlying()
    const agents = [CommandType.ApproveAgent, CommandType.RevokeAgent, CommandType.RevokeAllAgents]
    const otherStrike = 90_000 + this.below(3) * 1000
    const kind = this.below(26)
    if (kind < 9) this.#place(wallet, underlying)
    else if (kind < 11) rig.cancel(wallet, this.orderId)
    else if (kind === 11) rig.cancelClient(wallet, `c${this.below(4)}`)
    else if (kind === 12) rig.agent(agents[this.below(3)]!, wallet, 50)
    else if (kind === 13) this.#mode(wallet)
    else if (kind === 14) rig.signedTier(4, wallet, Tier.Tier2)
    else if (kind === 15) rig.deposit(wallet, 1 + this.below(500), `d${this.below(9)}`)
    else if (kind === 16) this.#list(underlying, otherStrike)
    else if (kind === 17) rig.delist(this.#instrument(underlying, otherStrike))
    else if (kind === 18) rig.index(99_000 + this.below(2000), underlying)
    else if (kind === 19) {
      rig.surface(0.5 + this.below(20) / 100, underlying, this.#market.expiryMillis)
    } else if (kind === 20) rig.tier(wallet, this.below(2) === 0 ? Tier.MarketMaker : Tier.Tier1)
    else if (kind === 21) rig.halt(this.below(4) === 0 ? HaltMode.Halted : 0, underlying)
    else if (kind < 25) this.#operate(wallet)
    else this.#seldom(wallet)
  }

  below(count: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) | 0
    return (this.#random >>> 8) % count
  }

  /** Uses the kinds in turn, so that a short run has them all. */
  #mode(wallet: number): void {
    const kind = this.#moded++ % 6
    const underlying = this.#underlying()
    if (kind === 0) this.#rig.selfTrade(wallet, SelfTradeMode.CancelMaker)
    else if (kind === 1) this.#rig.marginMode(wallet, this.below(2))
    else if (kind === 2) this.#rig.resetMmp(wallet, underlying)
    else if (kind === 3) this.#rig.resetMmp(wallet, underlying, CommandType.DeleteMmp)
    else
      this.#rig.setMmp(wallet, { underlying, interval: 60_000, frozen: this.below(3) * 50, qty: 3 })
  }

  /** Writes a tick in which a wallet is stopped and resumed. */
  #tick(wallet: number): void {
    this.#rig.tick()
    for (const isStopped of [true, false]) this.#rig.stopWallet(wallet, isStopped)
  }

  /** Uses the operator's commands in turn, likewise. */
  #operate(wallet: number): void {
    const rig = this.#rig
    const kind = this.#operated++ % 19
    if (kind === 0) this.#tick(wallet)
    else if (kind === 1) rig.settlementPrice(100_000, this.#market.expiryMillis)
    else if (kind === 2) rig.fundInsurance(kind + this.#operated, `f${this.#operated % 8}`)
    else if (kind === 3) rig.markSeen(wallet, [this.#operated, 1])
    else if (kind === 4) strayBid(rig, wallet)
    else if (kind === 5) rig.maxIndex(2_000_000 + this.#operated, this.#underlying())
    else if (kind === 6) rig.provider(wallet, this.#operated % 3 === 0 ? 2 : 1)
    else if (kind === 7) rig.connectProvider(wallet, this.#operated)
    else if (kind === 8) rig.leaveProvider(wallet, this.#operated - 1)
    else if (kind === 9) rig.endSessions()
    else if (kind === 11) submitRfq(rig, { id: this.#operated, wallet, legs: this.#legs() })
    else if (kind === 12) this.#quote(1 + (wallet % 4))
    else if (kind === 13) acceptQuote(rig, this.#operated - 2, strayQuote, { wallet })
    else if (kind === 14) declineRfq(rig, this.#operated - 3, wallet)
    else if (kind === 15) cancelAllOf(rig, wallet, { underlying: this.#underlying() })
    else if (kind === 16) setDeadMan(rig, wallet, this.#operated % 2 === 0 ? 0 : 1000)
    else if (kind === 17) setOnDisconnect(rig, wallet, this.#operated)
    else if (kind === 18) endConnectionOf(rig, wallet, this.#operated - 1)
    else rig.builder(40 + (this.#operated % 3), (1 + (this.#operated % 2)) as 1 | 2)
  }

  #legs(): RigLeg[] {
    return [[this.#instrument(this.#market.underlyings[0]!, strike), 1]]
  }

  #quote(provider: number): void {
    const id = this.#operated - 1
    quoteRfq(this.#rig, { id, provider, legs: this.#legs(), prices: [3000 + this.below(500)] })
  }

  #seldom(wallet: number): void {
    if (this.below(3) === 0) {
      requestUsername(this.#rig, wallet, `name_${this.below(3)}`)
      judgeUsername(this.#rig, wallet)
      this.#serve(wallet)
      return
    }
    if (this.below(4) === 0) {
      this.#rig.configure({ ...this.#market.config, outcomesKept: 5 + this.below(9) })
      return
    }
    this.#rig.bulk(() => {
      for (let items = 1 + this.below(4); items > 0; items--) {
        this.#place(wallet, this.#underlying())
      }
      this.#rig.cancelClient(wallet, `c${this.below(4)}`)
    })
  }

  /** Writes an account's commands other than trading, so that a short run has them. */
  #serve(wallet: number): void {
    const rig = this.#rig
    const { id } = withdrawOf(rig, wallet, 5)
    settleOf(rig, id, this.below(2) === 0 ? DeliveryStatus.Finalized : DeliveryStatus.Expired)
    judgeOf(rig, id, WithdrawalVerdict.Returned)
    rig.apiWallet(wallet, this.below(3), 60 + this.below(3))
    rig.abstraction(wallet, 2)
    referralCodeOf(rig, wallet, `CODE${wallet}`)
    setReferrer(rig, wallet, 'CODE1', 1)
    setCompetition(rig, { name: `cup ${this.below(3)}` })
    pushActionOf(rig, wallet, { kind: PushActionKind.Subscribe }, 'https://push.example/1')
    dropPushOf(rig, wallet, 1 + this.below(4))
    noteFileOf(rig, NotedFile.Audit, this.below(3) * 1000)
  }

  #place(wallet: number, underlying: string): void {
    const order = {
      wallet,
      side: this.below(2) === 0 ? 'Buy' : 'Sell',
      price: String(3000 + this.below(20) * 10),
      size: ['1', '0.5', '2.25'][this.below(3)]!,
      clientId: this.below(3) === 0 ? `c${this.below(4)}` : '',
      mmpEnabled: this.below(2) === 0,
      instrument: this.#instrument(underlying, strike),
    } as const
    const kind = this.below(5)
    this.#rig.place({
      ...order,
      ...(kind === 0 ? { replaces: this.orderId } : {}),
      tif: kind === 1 ? 'alo' : 'gtc',
    })
  }

  #list(underlying: string, strikeUsd: number): void {
    this.#rig.list(this.#instrument(underlying, strikeUsd), this.#market.expiryMillis)
  }

  #instrument(underlying: string, strikeUsd: number): RigInstrument {
    return { underlying, strike: strikeUsd, expiryDate: this.#market.expiryDate }
  }

  #underlying(): string {
    return this.#market.underlyings[this.below(this.#market.underlyings.length)]!
  }
}
