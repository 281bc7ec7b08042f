import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../engine/state/market/engine-config.js'
import { Estimator } from '../../../engine/state/market/settlement-parameters.js'
import { neverMillis, Right } from '../../../schemas/domain.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { auctionMillisChoices } from '../published/auction-ledger.js'
import type { InstrumentTerms } from '../published/published-auctions.js'
import type { Random } from '../run/random.js'
import { startMillis } from '../run/virtual-clock.js'

/** Option or perp that the simulated operator lists. */
export interface PlannedInstrument extends InstrumentTerms {
  readonly expiryMillis: number
}

export const underlyings = ['BTC', 'ETH', 'SOL', 'XRP'] as const
export const indexUsd = 100_000

/** Wallet numbers: most are rich, one is poor, one is empty. */
export const walletCount = 8
/** The first ones have little more than their positions. */
export const smallWallets = 4
export const poorWallet = 7
export const emptyWallet = 8
/**
 * Wallets of the runs in which options of an almost worthless underlying fill them up to the limit of exact sums. Some
 * write, and the others hold what they have written.
 */
export const dustWriters = { first: 9, last: 14 } as const
export const dustHolders = { first: 15, last: 20 } as const
/** Wallets of the runs in which some reach their order limit. */
export const capWallets = { first: 21, last: 24 } as const
/** Agents that wallets sometimes approve. */
export const agentFrom = 50
export const agentCount = 3
/** Trading keys that wallets sometimes set; none of them is ever an agent. */
export const apiKeyFrom = 60
export const apiKeyCount = 3

const { risk, pricing, settlement, liquidation, bands, perpFunding, rfq, rpi } = engineConfigDefault
const small = {
  ...engineConfigDefault,
  /** Few scenarios, which keep re-marks cheap, but of every kind. */
  risk: {
    ...risk,
    standardScenarios: risk.standardScenarios.filter((_, index) => index % 4 === 1),
    portfolioScenarios: risk.portfolioScenarios.filter((_, index) => index % 6 === 1),
  },
  /** Windows that pass within a run, with feeds that sometimes leave them short of samples. */
  pricing: { ...pricing, settlementWindowSeconds: 4 },
  /** So few payouts per batch that crashes fall between them. */
  settlement: {
    ...settlement,
    maxCarryMillis: 3000,
    minValidShare: 0.5,
    feeRate: 0.000_15,
    payoutsPerBatch: 1,
  },
  /** Requests that end within a run. */
  rfq: { ...rfq, responseDeadlineMillis: 12_000, lifetimeMillis: 20_000, maxOpenPerWallet: 4 },
  /** Gives providers a few turns for quotes. Sometimes it ends before their first. */
  rpi: { ...rpi, auctionMillis: auctionMillisChoices.usual },
  /** Re-marks one instrument a batch, so that faults strike half-way. */
  remarkRows: 1,
  remarkedPositions: 1,
  /** A run takes minutes of its own time; liquidations take less than a second. */
  liquidation: {
    ...liquidation,
    graceSeconds: 0.3,
    partialSeconds: 0.6,
    repriceSeconds: 0.2,
    insolventSeconds: 10,
    maxAuctionSeconds: 30,
    feeRate: 0.0001,
  },
  /** Windows so short that they overflow within a run. */
  noncesKept: 48,
  outcomesKept: 12,
  /** One that trades, and one that is never paid. */
  operatorSigners: [2, emptyWallet].map((wallet) => formatAddress(addressOf(wallet), 0)),
}

/** Configurations to start the process with, and for the operator to change to. */
const engineConfigs: readonly EngineConfig[] = [
  small,
  {
    ...small,
    noncesKept: 20,
    outcomesKept: 4,
    rpi: { auctionMillis: auctionMillisChoices.short, minImprovementTick: 4 },
  },
  { ...small, standardIsDefinedRisk: true },
  // So narrow that the plan's prices are on both sides of the lower limit.
  { ...small, bands: { ...bands, enabled: true, spotShift: 0.005, volShift: 0.005 } },
  {
    ...small,
    portfolioModeAllowed: false,
    rpi: { auctionMillis: auctionMillisChoices.long, minImprovementTick: 12 },
  },
  { ...small, remarkMillis: 250, remarkRows: 3, remarkedPositions: 4, mmpCountTakerFills: true },
  {
    ...small,
    pricing: { ...small.pricing, settlementBlend: true, settlementWindowSeconds: 9 },
    settlement: {
      ...small.settlement,
      estimator: Estimator.TrimmedMedianOfMeans,
      payoutsPerBatch: 3,
    },
  },
]

const day = 20_260_131
const nearDay = 20_260_102
const far = { expiryDate: day, expiryMillis: startMillis + 30 * 86_400_000 }
/** Every near expiry is a multiple of this after the start. */
export const expiryStepMillis = 1000
/** Soon enough that a run's clock passes them, the first ones even in short runs. */
const nearSeconds = [2, 6, 15, 45]

function afterSeconds(expiryDate: number, seconds: number) {
  return { expiryDate, expiryMillis: startMillis + seconds * expiryStepMillis }
}

function planned(
  underlyingText: string,
  expiry: Pick<PlannedInstrument, 'expiryDate' | 'expiryMillis'>,
  right: Right,
  strikeUsd: number,
): PlannedInstrument {
  return { underlyingText, ...expiry, right, strikeMicros: strikeUsd * 1e6 }
}

/** A call that stays and a put that expires, for each underlying. */
const plainOptions: readonly PlannedInstrument[] = underlyings.flatMap((name, index) => [
  planned(name, far, Right.Call, 110_000),
  planned(name, afterSeconds(nearDay, nearSeconds[index]), Right.Put, 90_000),
])

/** Options of one expiry that cover each other, with prices near their marks at the first index. */
export const spreadLegs = [
  { plan: planned(underlyings[0], far, Right.Call, 100_000), aroundUsd: 6_850 },
  { plan: plainOptions[0], aroundUsd: 3_270 },
  { plan: planned(underlyings[0], far, Right.Put, 100_000), aroundUsd: 6_850 },
  { plan: planned(underlyings[0], far, Right.Put, 90_000), aroundUsd: 2_690 },
] as const

/** All options that may be listed. */
export const optionPlans: readonly PlannedInstrument[] = [
  ...plainOptions,
  ...spreadLegs.map(({ plan }) => plan).filter((plan) => !plainOptions.includes(plan)),
]

export const dustName = 'DUST'
export const dustIndexUsd = 0.01
/** Maximum index prices. At the higher one a wallet can hold one order exactly, at the lower one five. */
export const dustHighestUsd = [9_001, 45_000, 45_000] as const

/** Calls on an almost worthless underlying. The one that expires has no samples, so the operator sets its price. */
export const dustPlans: readonly PlannedInstrument[] = [
  planned(dustName, afterSeconds(nearDay + 9, 9), Right.Call, dustIndexUsd),
  planned(dustName, far, Right.Call, dustIndexUsd),
]

const never = { expiryDate: 0, expiryMillis: neverMillis }
/** Perps of two of the underlyings. */
export const perpPlans: readonly PlannedInstrument[] = [
  planned(underlyings[0], never, Right.None, 0),
  planned(underlyings[2], never, Right.None, 0),
]

/** Options that trade only on a book, and only with providers. */
export const bookedPlan = planned(underlyings[0], far, Right.Call, 120_000)
export const unbookedPlan = planned(underlyings[0], far, Right.Call, 130_000)

/** Everything that may be listed, except for those two, which orders that wait for quotes use. */
export const instrumentPlans: readonly PlannedInstrument[] = [...optionPlans, ...perpPlans]

/**
 * Returns a configuration to start with or to change to. Two of three have perp funding. Every other one has trading
 * fees, with rates that rarely give whole micros, sometimes a rebate, caps, and builders with or without a share.
 */
export function pickConfig(random: Random): EngineConfig {
  const drawn = random.pick(engineConfigs)
  // At least a quarter of the runs have margin accounts that must cover every short.
  const standardIsDefinedRisk = drawn.standardIsDefinedRisk || random.below(4) === 0
  const maxIndexMicros = { [dustName]: random.pick(dustHighestUsd) * 1e6 }
  const builders = [formatAddress(addressOf(agentFrom), 0)]
  // Draws no random number, which would change all later ones.
  const usernames = { ...drawn.usernames, moderated: standardIsDefinedRisk }
  const picked = { ...drawn, standardIsDefinedRisk, builders, maxIndexMicros, usernames }
  // Funding periods below a second, and so few payments per batch that crashes fall between them.
  const funding = {
    ...perpFunding,
    enabled: true,
    capRate: random.pick([0.0005, 0.01, 0.000_333]),
    sampleSeconds: 0.05,
    periodSeconds: 0.4,
    paymentsPerBatch: random.between(1, 2),
    impactNotional: 100,
  }
  const config = random.below(3) === 0 ? picked : { ...picked, perpFunding: funding }
  if (random.below(2) === 0) return config
  const takerRate = random.between(0, 700) / 1e6
  const fees = {
    takerRate,
    makerRate: random.between(0, 700) / 1e6 - (random.below(3) === 0 ? takerRate : 0),
    optionCap: random.pick([0.125, 0.033_333, 1]),
    perpMakerRate: random.between(-100, 300) / 1e6,
    perpTakerRate: random.between(100, 700) / 1e6,
    builderShare: random.pick([0, 0.5, 0.333_333]),
  }
  return { ...config, fees }
}

/** Returns the number of a wallet of the plan, or 1 for any other. */
export function walletOf(address: Uint8Array): number {
  for (let wallet = 1; wallet <= walletCount; wallet++) {
    if (addressOf(wallet).every((byte, index) => byte === address[index])) return wallet
  }
  return 1
}

/** Returns a wallet's address, with its number in the last byte. */
export function addressOf(number: number): Uint8Array {
  const bytes = new Uint8Array(20)
  bytes[0] = 0xa1
  bytes[19] = number
  return bytes
}
