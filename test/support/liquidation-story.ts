import {
  type LiquidationParameters,
  liquidationParametersDefault,
} from '../../engine/risk/liquidation-parameters.js'
import { type EngineConfig, engineConfigDefault } from '../../engine/state/market/engine-config.js'
import type { LiquidationTable } from '../../engine/state/market/liquidation-table.js'
import { liquidationModeNames, liquidationStateNames } from '../../schemas/record-values.js'
import type { LiquidationRig } from './liquidation-rig.js'
import type { RigInstrument } from './rig-commands.js'

interface LiquidationStoryState {
  readonly liquidations: LiquidationTable
}

/** Terms that an exchange and its test share. */
export interface StoryMarket {
  readonly expiryDate: number
  readonly expiryMillis: number
}

/** States that a run of the story must show between batches, together. */
export const storyStates = [
  'pre_liquidation',
  'partial',
  'full',
  'won',
  'liquidated',
  'deleveraged',
] as const

export interface StoryStep {
  /** State of a wallet expected between batches after this step, or null. */
  readonly state: string | null
  /** Writes the step's commands. It reads no state, so the rig may only write. */
  readonly act: (rig: LiquidationRig) => void
}

const underlyings = ['LIQ1', 'LIQ2', 'LIQ3'] as const
const maker = 31
const bidder = 32
const auctionsMax = 12
/** One for each underlying, so that all matchers take part in liquidations. */
const shorts = [41, 42, 43] as const

/** No state ends by time alone: a changed configuration ends it, at the same point of every run. */
const patient: LiquidationParameters = {
  ...liquidationParametersDefault,
  graceSeconds: 1e6,
  partialSeconds: 1e6,
  insolventSeconds: 1e9,
  maxAuctionSeconds: 1e9,
  valuationSeconds: 1e6,
  feeRate: 0.0001,
}

/**
 * Lets three wallets go short and fall through every state of liquidation: grace, partial with partly filled orders of
 * the engine, an auction with a winning bid, insolvency, an emptied insurance fund, deleveraging.
 */
export function liquidationStory(market: StoryMarket): StoryStep[] {
  const { expiryDate } = market
  const option = (underlying: string): RigInstrument => ({ underlying, expiryDate })
  const prices = (usd: number) => (rig: LiquidationRig) => {
    for (const underlying of underlyings) rig.index(usd, underlying)
  }
  return [
    { state: null, act: (rig) => open(rig, market) },
    {
      state: null,
      act: (rig) => {
        for (const [index, underlying] of underlyings.entries()) {
          const terms = { price: '3270', size: '1', instrument: option(underlying) }
          rig.place({ wallet: shorts[index]!, side: 'Sell', ...terms })
          rig.place({ wallet: maker, side: 'Buy', ...terms })
        }
      },
    },
    { state: 'pre_liquidation', act: prices(108_000) },
    { state: 'partial', act: (rig) => configure(rig, { graceSeconds: 0 }) },
    {
      state: 'partial',
      act: (rig) => {
        for (const underlying of underlyings) {
          const terms = { price: '1', size: '0.02', instrument: option(underlying) }
          rig.place({ wallet: maker, side: 'Sell', tif: 'ioc', ...terms })
        }
      },
    },
    { state: 'full', act: (rig) => configure(rig, { graceSeconds: 0, partialSeconds: 0 }) },
    { state: 'full', act: prices(108_100) },
    { state: 'full', act: (rig) => bid(rig, option(underlyings[0])) },
    { state: 'full', act: prices(140_000) },
    { state: 'full', act: (rig) => rig.fundInsurance(100, 'story-fund') },
    {
      state: 'liquidated',
      act: (rig) => {
        configure(rig, { graceSeconds: 0, partialSeconds: 0, maxAuctionSeconds: 0 })
      },
    },
    { state: 'liquidated', act: (rig) => rig.deposit(shorts[2], 500, 'story-again') },
  ]
}

/**
 * Returns the liquidation states that some wallet is in, plus `won` after a bid and `deleveraged` after others have
 * borne a loss.
 */
export function statesOf({ liquidations }: LiquidationStoryState): Set<string> {
  const names = new Set<string>()
  for (const { mode, state, winner, deleveragedMicros } of liquidations.rows) {
    names.add(liquidationModeNames[mode] ?? liquidationStateNames[state]!)
    if (winner > 0) names.add('won')
    if (deleveragedMicros > 0) names.add('deleveraged')
  }
  return names
}

function open(rig: LiquidationRig, { expiryDate, expiryMillis }: StoryMarket): void {
  configure(rig, {})
  for (const underlying of underlyings) {
    rig.list({ underlying, expiryDate }, expiryMillis)
    rig.index(100_000, underlying)
    rig.surface(0.6, underlying, expiryMillis)
  }
  for (const wallet of [maker, bidder]) rig.deposit(wallet, 1_000_000, `story-${wallet}`)
  for (const wallet of shorts) rig.deposit(wallet, 15_000, `story-${wallet}`)
}

function configure(rig: LiquidationRig, change: Partial<LiquidationParameters>): void {
  const config: EngineConfig = {
    ...engineConfigDefault,
    remarkRows: 1,
    // Marks move with the index alone: repeating a price at its time changes no mark.
    remarkMillis: 1e9,
    pricing: { ...engineConfigDefault.pricing, indexMaxAgeMillis: 0, surfaceMaxAgeMillis: 0 },
    liquidation: { ...patient, ...change },
  }
  rig.configure(config)
}

/** Bids for the first short, which has bought back 0.02 contracts. Wallets of the test may have had auctions before. */
function bid(rig: LiquidationRig, instrument: RigInstrument): void {
  for (let auction = 1; auction <= auctionsMax; auction++) {
    rig.bidOn({
      wallet: bidder,
      liquidated: shorts[0],
      usd: 100_000,
      auction,
      version: 1,
      // The core may have read its clock just before this was written.
      valuationMillis: rig.nowMillis - 1000,
      nonce: 77_000_000 + auction,
      positions: [{ ...instrument, lots: -0.98e8, entryMicros: 3270e6 }],
    })
  }
}
