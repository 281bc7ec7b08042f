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

/** The wallet that `shortRig` leaves with little cash. */
export const short = 5

/** Marks move with the index alone, and no input becomes stale. */
export const still: EngineConfig = {
  ...engineConfigDefault,
  remarkMillis: 1e9,
  pricing: { ...engineConfigDefault.pricing, indexMaxAgeMillis: 0, surfaceMaxAgeMillis: 0 },
}

/** Bid of a test. Omitted terms are copied from the account's current state, as from a status read. */
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

/** Bid with all its terms. */
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

/** Core rig with the commands of liquidation, and views of their effects. */
export class LiquidationRig extends CoreRig {
  #nonce = 5_000_000

  constructor(config: EngineConfig = engineConfigDefault, matchers = 1, memory: RigMemory = {}) {
    super(config, matchers, memory)
  }

  /** Returns the index of the wallet's account. */
  account(wallet: number): number {
    return this.state.accounts.find(walletOf(wallet), 0)
  }

  row(wallet: number): Liquidation | null {
    return this.state.liquidations.find(this.account(wallet))
  }

  /** Returns `healthy`, `pre_liquidation`, `partial`, `full` or `liquidated`. */
  stateOf(wallet: number): string {
    const row = this.row(wallet)
    if (row === null) return 'healthy'
    const mode = liquidationModeNames[row.mode]
    return mode ?? liquidationStateNames[row.state]!
  }

  /** Returns equity and maintenance margin, in USD. */
  margin(wallet: number): { equity: number; required: number } {
    const { equityMicros, requiredMicros } = judge(this.state, this.account(wallet))
    return { equity: equityMicros / 1e6, required: requiredMicros / 1e6 }
  }

  cash(wallet: number): number {
    return this.state.risk.cashMicros[this.account(wallet)]! / 1e6
  }

  /** Balance of the insurance fund, in USD. */
  get insurance(): number {
    return this.state.funds.balanceMicros[Fund.Insurance]! / 1e6
  }

  /**
   * Cash of all wallets less the entry cost of their perps, plus the balances of all funds, in micros. Only deposits
   * change it.
   */
  get totalMicros(): number {
    const { accounts, risk, funds } = this.state
    let sum = funds.totalMicros
    for (let account = 0; account < accounts.count; account++) {
      sum += risk.cashMicros[account]! - perpCostMicros(this.state, account)
    }
    return sum
  }

  /** Returns the contracts of the wallet's position in an instrument. */
  position(wallet: number, instrument = 0): number {
    const row = this.state.risk.findExposure(this.account(wallet), instrument)
    return row < 0 ? 0 : this.state.risk.exposures.positionLots[row]! / 1e8
  }

  /** Returns the minimum of a bid for the wallet now, in USD. */
  required(wallet: number): number {
    const row = this.row(wallet)!
    const judged = judge(this.state, row.account)
    const terms = auctionTerms(
      this.state.config.liquidation,
      auctionStateOf(this.state, row, judged),
    )
    return terms.requiredMicros / 1e6
  }

  /** Bids for the wallet in its current state. */
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

  /** Bids on terms that the test states in full. */
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

  /** Lets time pass in steps of a second, with the index set again at each. */
  pass(seconds: number, index: number): this {
    for (let second = 0; second < seconds; second++) {
      this.nowMillis += 1000
      this.index(index)
      this.run()
    }
    return this
  }

  /** Returns the working orders of a wallet: side, price in USD and open contracts. */
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
 * Opens a market in which wallet 5, with 15,000 USD, is short one call of strike 110,000 sold at 3,270. At an index of
 * 108,000 it is below maintenance margin. `events` does not return earlier events.
 */
export function shortRig(config: EngineConfig = engineConfigDefault): LiquidationRig {
  const rig = new LiquidationRig(config).openMarket()
  rig.deposit(short, 15_000)
  rig.run()
  rig.trade(2, short, '3270', '1')
  rig.events()
  return rig
}

/** Sends a bid for an auction that is not running, without a position. */
export function strayBid(rig: CoreRig, wallet: number): number {
  bidCommand.claim(rig, BidLiquidationCommand.bytes)
  rig.sign(bidCommand, wallet, { nonce: 900_000_000 + rig.requests, digest: 0 })
  bidCommand.u8.set(walletOf(1 + (wallet % 4)), bidCommand.liquidatedAt)
  return rig.requests
}
