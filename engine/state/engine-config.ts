import { assert } from '../../schemas/assert.js'
import {
  noncesKeptPerWallet,
  outcomesKeptPerWallet,
  remarkedPositionsPerBatch,
  remarkRowsPerBatch,
} from '../../schemas/bounds.js'
import { addressBytes, formatAddress, parseAddress } from '../../schemas/wallet.js'
import { type BandParameters, bandParametersDefault } from '../pricing/price-bands.js'
import { type PricingParameters, pricingParametersDefault } from '../pricing/pricing-parameters.js'
import { type RiskParameters, riskParametersDefault, type Scenario } from '../pricing/scenarios.js'
import {
  type LiquidationParameters,
  liquidationKeys,
  liquidationParametersDefault,
} from '../risk/liquidation-parameters.js'
import { type FeeParameters, feeKeys, feeParametersDefault } from '../risk/trading-fees.js'
import { type FundingParameters, fundingParametersDefault } from './funding-parameters.js'
import { type SettlementParameters, settlementParametersDefault } from './settlement-parameters.js'

/** Limits of one tier; -1 is unlimited. */
export interface TierLimits {
  readonly ordersPerMinute: number
  readonly cancelsPerMinute: number
  readonly requestsPerMinute: number
  readonly openOrdersMax: number
  readonly positionsMax: number
}

/** Everything that decides how the engine decides. It is journaled, so that a replay decides the same. */
export interface EngineConfig {
  /** `standard` margin mode means `defined_risk` here (mainnet-alpha). */
  readonly standardIsDefinedRisk: boolean
  readonly portfolioModeAllowed: boolean
  readonly remarkMillis: number
  /** Instruments that one batch re-marks at most; at least 1. */
  readonly remarkRows: number
  /** Positions whose wallets one batch checks behind a re-mark; at least 1. */
  readonly remarkedPositions: number
  readonly noncesKept: number
  readonly outcomesKept: number
  /** Indexed by `Tier`. */
  readonly tiers: readonly TierLimits[]
  readonly pricing: PricingParameters
  readonly risk: RiskParameters
  readonly bands: BandParameters
  readonly settlement: SettlementParameters
  /** Fills of protected orders as taker count for protection, beside those as maker. */
  readonly mmpCountTakerFills: boolean
  readonly liquidation: LiquidationParameters
  /** Fees of trades; those of settlements and liquidations stand with them. */
  readonly fees: FeeParameters
  readonly perpFunding: FundingParameters
  /** By underlying, what its index may rise to; of others a multiple of the index at their listing. */
  readonly maxIndexMicros: Readonly<Record<string, number>>
  /** Addresses that earn as builders unless the operator has said otherwise, in lower case. */
  readonly builders: readonly string[]
  /** Addresses whose signature sets tiers, lower-case: they have an account without a deposit. */
  readonly operatorSigners: readonly string[]
}

const tier = (
  ordersPerMinute: number,
  cancelsPerMinute: number,
  requestsPerMinute: number,
  openOrdersMax: number,
  positionsMax: number,
): TierLimits => ({
  ordersPerMinute,
  cancelsPerMinute,
  requestsPerMinute,
  openOrdersMax,
  positionsMax,
})

export const engineConfigDefault: EngineConfig = {
  standardIsDefinedRisk: false,
  portfolioModeAllowed: true,
  remarkMillis: 1000,
  remarkRows: remarkRowsPerBatch,
  remarkedPositions: remarkedPositionsPerBatch,
  noncesKept: noncesKeptPerWallet,
  outcomesKept: outcomesKeptPerWallet,
  tiers: [
    tier(60, 120, 600, 100, 50),
    tier(30, 60, 300, 50, 20),
    tier(120, 300, 1200, 500, 200),
    tier(600, 1200, 6000, 2000, -1),
  ],
  pricing: pricingParametersDefault,
  risk: riskParametersDefault,
  bands: bandParametersDefault,
  settlement: settlementParametersDefault,
  mmpCountTakerFills: false,
  liquidation: liquidationParametersDefault,
  fees: feeParametersDefault,
  perpFunding: fundingParametersDefault,
  maxIndexMicros: {},
  builders: [],
  operatorSigners: [],
}

/** The configuration as numbers, for the journal: texts as a length and their character codes. */
export function encodeEngineConfig(config: EngineConfig): Float64Array {
  const out: number[] = [
    Number(config.standardIsDefinedRisk),
    Number(config.portfolioModeAllowed),
    config.remarkMillis,
    config.remarkRows,
    config.remarkedPositions,
    config.noncesKept,
    config.outcomesKept,
    config.tiers.length,
  ]
  for (const limits of config.tiers) for (const key of tierKeys) out.push(limits[key])
  for (const key of pricingKeys) out.push(Number(config.pricing[key]))
  encodeScenarios(config.risk.standardScenarios, out)
  encodeScenarios(config.risk.portfolioScenarios, out)
  for (const key of riskKeys) out.push(config.risk[key])
  for (const key of bandKeys) out.push(Number(config.bands[key]))
  for (const key of settlementKeys) out.push(config.settlement[key])
  out.push(Number(config.mmpCountTakerFills))
  for (const key of liquidationKeys) out.push(config.liquidation[key])
  for (const key of feeKeys) out.push(config.fees[key])
  for (const key of fundingKeys) out.push(Number(config.perpFunding[key]))
  const maxIndexes = Object.entries(config.maxIndexMicros)
  out.push(maxIndexes.length)
  for (const [name, micros] of maxIndexes) {
    encodeText(name, out)
    out.push(micros)
  }
  out.push(config.builders.length)
  for (const address of config.builders) encodeAddress(address, out)
  out.push(config.operatorSigners.length)
  for (const address of config.operatorSigners) encodeAddress(address, out)
  return Float64Array.from(out)
}

/** Reads what `encodeEngineConfig` wrote. */
export function decodeEngineConfig(values: Float64Array): EngineConfig {
  let at = 0
  const next = () => values[at++]
  const standardIsDefinedRisk = next() === 1
  const portfolioModeAllowed = next() === 1
  const [remarkMillis, remarkRows, remarkedPositions] = [next(), next(), next()]
  const [noncesKept, outcomesKept] = [next(), next()]
  const record = <K extends string>(keys: readonly K[]) =>
    Object.fromEntries(keys.map((key) => [key, next()])) as Record<K, number>
  const tiers = Array.from({ length: next() }, () => record(tierKeys))
  const prices = record(pricingKeys)
  const standardScenarios = decodeScenarios(next)
  const portfolioScenarios = decodeScenarios(next)
  const risk = { standardScenarios, portfolioScenarios, ...record(riskKeys) } as RiskParameters
  const bands = record(bandKeys)
  const settlement = record(settlementKeys) as SettlementParameters
  const mmpCountTakerFills = next() === 1
  const liquidation = record(liquidationKeys)
  const fees = record(feeKeys)
  const perpFunding = record(fundingKeys)
  const maxIndexes = Array.from({ length: next() }, () => [decodeText(next), next()] as const)
  const builders = Array.from({ length: next() }, () => decodeAddress(next))
  const operatorSigners = Array.from({ length: next() }, () => decodeAddress(next))
  assert(at === values.length, 'engine configuration: length')
  return {
    standardIsDefinedRisk,
    portfolioModeAllowed,
    remarkMillis,
    remarkRows,
    remarkedPositions,
    noncesKept,
    outcomesKept,
    tiers,
    pricing: { ...prices, settlementBlend: prices.settlementBlend === 1 } as PricingParameters,
    risk,
    bands: { ...bands, enabled: bands.enabled === 1 },
    settlement,
    mmpCountTakerFills,
    liquidation,
    fees,
    perpFunding: { ...perpFunding, enabled: perpFunding.enabled === 1 },
    maxIndexMicros: Object.fromEntries(maxIndexes),
    builders,
    operatorSigners,
  }
}

const tierKeys = [
  'ordersPerMinute',
  'cancelsPerMinute',
  'requestsPerMinute',
  'openOrdersMax',
  'positionsMax',
] as const

const pricingKeys = [
  'rate',
  'indexMaxAgeMillis',
  'surfaceMaxAgeMillis',
  'staleSurface',
  'settlementBlend',
  'settlementWindowSeconds',
] as const satisfies readonly (keyof PricingParameters)[]

const settlementKeys = [
  'estimator',
  'maxCarryMillis',
  'minValidShare',
  'trimShare',
  'feeRate',
  'feeCap',
  'payoutsPerBatch',
] as const satisfies readonly (keyof SettlementParameters)[]

const riskKeys = [
  'imFactor',
  'mmFactor',
  'shortMinimumIm',
  'shortMinimumMm',
  'volFloor',
  'zClip',
  'mmRatio',
  'optionFloorFactor',
  'gammaOverlayFactor',
  'overlayHours',
  'floorNetting',
  'perpInitialFraction',
  'perpMaintenanceFraction',
] as const satisfies readonly (keyof RiskParameters)[]

const bandKeys = [
  'enabled',
  'spotShift',
  'volShift',
  'ticks',
  'minHalfWidth',
  'reducingFactor',
] as const satisfies readonly (keyof BandParameters)[]

const fundingKeys = [
  'enabled',
  'capRate',
  'sampleSeconds',
  'periodSeconds',
  'paymentsPerBatch',
  'impactNotional',
] as const satisfies readonly (keyof FundingParameters)[]

const scenarioKeys = [
  'kind',
  'spotShift',
  'volShift',
  'skew',
  'kurtosis',
  'weightPermille',
] as const satisfies readonly (keyof Scenario)[]

function encodeScenarios(scenarios: readonly Scenario[], out: number[]): void {
  out.push(scenarios.length)
  for (const scenario of scenarios) {
    encodeText(scenario.id, out)
    for (const key of scenarioKeys) out.push(scenario[key])
    out.push(Number(scenario.isTail))
  }
}

function decodeScenarios(next: () => number): Scenario[] {
  return Array.from({ length: next() }, () => {
    const id = decodeText(next)
    const values = Object.fromEntries(scenarioKeys.map((key) => [key, next()]))
    return { id, ...values, isTail: next() === 1 } as Scenario
  })
}

function encodeText(text: string, out: number[]): void {
  out.push(text.length)
  for (let i = 0; i < text.length; i++) out.push(text.charCodeAt(i))
}

function decodeText(next: () => number): string {
  return String.fromCharCode(...Array.from({ length: next() }, next))
}

/** An address as five numbers of 32 bits. */
function encodeAddress(text: string, out: number[]): void {
  const bytes = parseAddress(text)
  assert(bytes !== null, 'engine configuration: signers and builders are addresses')
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < addressBytes; at += 4) out.push(view.getUint32(at))
}

function decodeAddress(next: () => number): string {
  const bytes = new Uint8Array(addressBytes)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < addressBytes; at += 4) view.setUint32(at, next())
  return formatAddress(bytes, 0)
}
