import { type PricingParameters, StaleSurface } from '../../engine/pricing/pricing-parameters.js'
import { FloorNetting, type RiskParameters } from '../../engine/pricing/scenarios.js'
import type { LiquidationParameters } from '../../engine/risk/liquidation-parameters.js'
import type { FeeParameters } from '../../engine/risk/trading-fees.js'
import type { EngineConfig, TierLimits } from '../../engine/state/engine-config.js'
import {
  estimatorNames,
  type SettlementParameters,
} from '../../engine/state/settlement-parameters.js'
import { tierNames } from '../../schemas/domain.js'
import type { Config, TierLimits as TierKeys } from './config-schema.js'
import { maxIndexMicrosOf } from './underlying-rows.js'

/** The part of the configuration that decides how the engine decides, as the engine wants it. */
export function engineConfigOf(config: Config): EngineConfig {
  return {
    standardIsDefinedRisk: config.risk.model === 'defined_risk',
    portfolioModeAllowed: config.risk.portfolioEnabled,
    remarkMillis: config.pricing.remarkMillis,
    remarkRows: config.pricing.remarkRows,
    remarkedPositions: config.pricing.remarkedPositions,
    operatorSigners: config.operator.signers.map((signer) => signer.toLowerCase()),
    noncesKept: config.limits.noncesKept,
    outcomesKept: config.limits.outcomesKept,
    tiers: tierNames.map((name) => tierLimitsOf(config.limits[name])),
    pricing: pricingParametersOf(config),
    risk: riskParametersOf(config),
    bands: config.bands,
    settlement: settlementParametersOf(config),
    mmpCountTakerFills: config.mmp.countTakerFills,
    liquidation: liquidationParametersOf(config),
    fees: feeParametersOf(config),
    perpFunding: config.perp.funding,
    maxIndexMicros: maxIndexMicrosOf(config.underlyings),
    builders: [...new Set(config.fees.builders.map((address) => address.toLowerCase()))],
  }
}

/** Whose journal it is: what was signed for one of these is nothing to another. */
export function identityOf({ preset, service, chainId }: Config): string {
  return `preset ${preset}, service ${service.name}, chain ${chainId}`
}

function tierLimitsOf(limits: TierKeys): TierLimits {
  const { apiRequestsPerMinute: requestsPerMinute, ...others } = limits
  return { ...others, requestsPerMinute }
}

function pricingParametersOf({ pricing, settlement }: Config): PricingParameters {
  return {
    rate: pricing.rate,
    indexMaxAgeMillis: pricing.indexMaxAgeMillis,
    surfaceMaxAgeMillis: pricing.surfaceMaxAgeMillis,
    staleSurface:
      pricing.staleSurface === 'refuse' ? StaleSurface.Refuse : StaleSurface.StickyMoneyness,
    settlementBlend: pricing.settlementBlend,
    settlementWindowSeconds: settlement.windowSeconds,
  }
}

function settlementParametersOf({ settlement, fees }: Config): SettlementParameters {
  return {
    estimator: estimatorNames.indexOf(settlement.estimator) as SettlementParameters['estimator'],
    maxCarryMillis: settlement.maxCarryMillis,
    minValidShare: settlement.minValidShare,
    trimShare: settlement.trimShare,
    feeRate: fees.settlement,
    feeCap: fees.settlementCap,
    payoutsPerBatch: settlement.payoutsPerBatch,
  }
}

function liquidationParametersOf({ liquidation, fees }: Config): LiquidationParameters {
  const { bonusBps, auction, ...others } = liquidation
  return {
    ...others,
    bonusBps: bonusBps.start,
    bonusBpsMax: bonusBps.max,
    auctionStart: auction.start,
    auctionFastEnd: auction.fastEnd,
    auctionFastSeconds: auction.fastSeconds,
    auctionSlowSeconds: auction.slowSeconds,
    auctionBuffer: auction.buffer,
    insolventSeconds: auction.insolventSeconds,
    feeRate: fees.liquidation,
  }
}

function feeParametersOf({ fees }: Config): FeeParameters {
  const { makerRate, takerRate, optionCap, perpMakerRate, perpTakerRate, builderShare } = fees
  return { makerRate, takerRate, optionCap, perpMakerRate, perpTakerRate, builderShare }
}

function riskParametersOf(config: Config): RiskParameters {
  const { standard, portfolio, perp, volFloor, zClip } = config.risk
  return {
    standardScenarios: standard.scenarios,
    portfolioScenarios: portfolio.scenarios,
    imFactor: standard.imFactor,
    mmFactor: standard.mmFactor,
    shortMinimumIm: standard.shortMinimumIm,
    shortMinimumMm: standard.shortMinimumMm,
    volFloor,
    zClip,
    mmRatio: portfolio.mmRatio,
    optionFloorFactor: portfolio.optionFloorFactor,
    gammaOverlayFactor: portfolio.gammaOverlayFactor,
    overlayHours: portfolio.overlayHours,
    floorNetting:
      portfolio.floorNetting === 'instrument' ? FloorNetting.Instrument : FloorNetting.ExpiryRight,
    perpInitialFraction: perp.initialFraction,
    perpMaintenanceFraction: perp.maintenanceFraction,
  }
}
