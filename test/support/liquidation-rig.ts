import { auctionTerms } from '../../engine/risk/auction-terms.js'
import { auctionStateOf, judge } from '../../engine/state/judgement.js'
import { type EngineConfig, engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { Fund } from '../../engine/state/money/funds.js'
import { positionsOf } from '../../engine/state/wallet-rows.js'
import type { Liquidation } from '../../engine/tables/generated/liquidation.js'
import { Side } from '../../schemas/domain.js'
import { BidLiquidationCommand } from '../../schemas/generated/commands.js'
import { liquidationModeNames, liquidationStateNames } from '../../schemas/record-values.js'
import { perpCostMicros } from './core-invariants.js'
import { CoreRig, type RigMemory } from './core-rig.js'
import { type RigInstrument, type RigOrder, walletOf, writeKey } from './rig-commands.js'

const bidCommand = new BidLiquidationCommand()

/** The wallet that `shortRig` leaves with little. */
export const short = 5

/** Marks move with the index alone, and no input grows old. */
export const still: EngineConfig = {
  ...engineConfigDefault,
  remarkMillis: 1e9,
  pricing: { ...engineConfigDefault.pricing, indexMaxAgeMillis: 0, surfaceMaxAgeMillis: 0 },
}

/** A bid of the tests: what is left out is copied from the account as it is, like from a status read. */
export interface RigBid {
  readonly wallet: number
  readonly liquidated: number
  readonly usd?: number
  readonly auction?: number
  readonly version?: number
  readonly valuationMillis?: number
  /** Added to the size of the first position. */
  readonly moreLots?: number
  readonly nonce?: number
}

/** A bid with all its terms. */
export interface RigBidTerms {
  readonly wallet: number
  readonly liquidated: number
  readonly usd: number
  readonly auction: number
  readonly version: number
  readonly valuationMillis: number
  readonly nonce: number
  readonly positions: readonly (RigInstrument & { lots: number; entryMicros: number })[]
}

/** A core rig with the commands of liquidation, and views of what it does. */
export class LiquidationRig extends CoreRig {
  #nonce = 5_000_000

  constructor(config: EngineConfig = engineConfigDefault, matchers = 1, memory: RigMemory = {}) {
    super(config, matchers, memory)
  }

  /** Index of the wallet's account. */
  account(wallet: number): number {
    return this.state.accounts.find(walletOf(wallet), 0)
  }

  row(wallet: number): Liquidation | null {
    return this.state.liquidations.find(this.account(wallet))
  }

  /** `healthy`, `pre_liquidation`, `partial`, `full` or `liquidated`. */
  stateOf(wallet: number): string {
    const row = this.row(wallet)
    if (row === null) return 'healthy'
    const mode = liquidationModeNames[row.mode]
    return mode ?? liquidationStateNames[row.state]!
  }

  /** Equity and maintenance margin, USD. */
  margin(wallet: number): { equity: number; required: number } {
    const { equityMicros, requiredMicros } = judge(this.state, this.account(wallet))
    return { equity: equityMicros / 1e6, required: requiredMicros / 1e6 }
  }

  cash(wallet: number): number {
    return this.state.risk.cashMicros[this.account(wallet)]! / 1e6
  }

  /** What the insurance fund holds, USD. */
  get insurance(): number {
    return this.state.funds.balanceMicros[Fund.Insurance]! / 1e6
  }

  /**
   * Cash of all wallets less the entry cost of their perps, and balances of all funds, micros: deposits alone change
   * it.
   */
  get totalMicros(): number {
    const { accounts, risk, funds } = this.state
    let sum = funds.totalMicros
    for (let account = 0; account < accounts.count; account++) {
      sum += risk.cashMicros[account]! - perpCostMicros(this.state, account)
    }
    return sum
  }

  /** Contracts of the wallet's position in an instrument. */
  position(wallet: number, instrument = 0): number {
    const row = this.state.risk.findExposure(this.account(wallet), instrument)
    return row < 0 ? 0 : this.state.risk.exposures.positionLots[row]! / 1e8
  }

  /** What a bid for the wallet has to pay now, USD. */
  required(wallet: number): number {
    const row = this.row(wallet)!
    const judged = judge(this.state, row.account)
    const terms = auctionTerms(
      this.state.config.liquidation,
      auctionStateOf(this.state, row, judged),
    )
    return terms.requiredMicros / 1e6
  }

  /** Bids for the wallet as it stands. */
  bid(bid: RigBid): number {
    const { state } = this
    const account = this.account(bid.liquidated)
    const row = state.liquidations.find(account)
    const { exposures } = state.risk
    return this.bidOn({
      nonce: this.#nonce++,
      ...bid,
      usd: bid.usd ?? 1e6,
      auction: bid.auction ?? row?.auction ?? 0,
      version: bid.version ?? row?.version ?? 0,
      valuationMillis: bid.valuationMillis ?? this.nowMillis,
      positions: positionsOf(state, account).map((exposure, index) => {
        const instrument = exposures.instrument[exposure]!
        return {
          underlying: state.instruments.underlyingNames[state.instruments.underlying[instrument]!]!,
          expiryDate: state.instruments.expiryDate[instrument]!,
          strike: state.instruments.strikeMicros[instrument]! / 1e6,
          right: state.instruments.right[instrument]!,
          lots: exposures.positionLots[exposure]! + (index === 0 ? (bid.moreLots ?? 0) : 0),
          entryMicros: state.risk.entryPriceMicros(exposure),
        }
      }),
    })
  }

  /** Bids on terms that the test names itself. */
  bidOn(bid: RigBidTerms): number {
    const { wallet, nonce, positions } = bid
    bidCommand.claim(this, BidLiquidationCommand.bytesWith(positions.length))
    this.sign(bidCommand, wallet, { nonce })
    bidCommand.u8.set(walletOf(bid.liquidated), bidCommand.liquidatedAt)
    bidCommand.auction = bid.auction
    bidCommand.version = bid.version
    bidCommand.bidMicros = Math.round(bid.usd * 1e6)
    bidCommand.valuationMillis = bid.valuationMillis
    bidCommand.count = positions.length
    for (const [index, held] of positions.entries()) {
      const position = bidCommand.positions(index)
      writeKey(position.key, held)
      position.lots = held.lots
      position.entryMicros = held.entryMicros
    }
    return this.requests
  }

  /** Trades between two wallets at a price; the first one buys. */
  trade(buyer: number, seller: number, price: string, size: string, more: Partial<RigOrder> = {}) {
    const order = { price, size, ...more }
    this.outcome(this.place({ wallet: seller, side: 'Sell', ...order }))
    this.outcome(this.place({ wallet: buyer, side: 'Buy', ...order }))
  }

  /** Lets time pass in steps of a second, with the index told anew at each. */
  pass(seconds: number, index: number): this {
    for (let second = 0; second < seconds; second++) {
      this.nowMillis += 1000
      this.index(index)
      this.run()
    }
    return this
  }

  /** Working orders of a wallet: side, price in USD and open contracts. */
  working(wallet: number): { side: string; price: number; open: number; flags: number }[] {
    const { orders } = this.state
    const found = []
    for (let instrument = 0; instrument < this.state.instruments.count; instrument++) {
      let slot = orders.firstOf(instrument)
      for (; slot >= 0; slot = orders.nextInInstrument[slot]!) {
        if (orders.account[slot] !== this.account(wallet)) continue
        const side = orders.side[slot] === Side.Buy ? 'Buy' : 'Sell'
        const price = orders.priceMicros[slot]! / 1e6
        found.push({ side, price, open: orders.openLots[slot]! / 1e8, flags: orders.flags[slot]! })
      }
    }
    return found
  }
}

/**
 * An open market in which wallet 5, with 15,000 USD, is short one call of strike 110,000 for 3,270; at an index of
 * 108,000 it is below maintenance margin. What happened so far is not told again.
 */
export function shortRig(config: EngineConfig = engineConfigDefault): LiquidationRig {
  const rig = new LiquidationRig(config).openMarket()
  rig.deposit(short, 15_000)
  rig.run()
  rig.trade(2, short, '3270', '1')
  rig.events()
  return rig
}

/** A bid for an auction that does not run, without a position. */
export function strayBid(rig: CoreRig, wallet: number): number {
  bidCommand.claim(rig, BidLiquidationCommand.bytes)
  rig.sign(bidCommand, wallet, { nonce: 900_000_000 + rig.requests, digest: 0 })
  bidCommand.u8.set(walletOf(1 + (wallet % 4)), bidCommand.liquidatedAt)
  return rig.requests
}
