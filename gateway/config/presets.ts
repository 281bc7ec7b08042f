import type { presetNames } from '../../schemas/domain.js'

export type PresetName = (typeof presetNames)[number]

/**
 * What each preset sets differently from the schema's defaults, by path. No two share a signing domain.
 */
export const presets: Readonly<Record<PresetName, Readonly<Record<string, unknown>>>> = {
  development: {
    chainId: 31_337,
    feed: 'simulated',
    maker: 'on',
    'limits.addressLimitsOnLoopback': false,
    'pricing.indexMaxAgeMillis': 0,
    'pricing.surfaceMaxAgeMillis': 0,
    'settlement.maxCarryMillis': 0,
    'risk.portfolioEnabled': true,
    'compat.unknownFields': 'refuse',
  },
  testnet: {
    chainId: 998,
    'signing.enabled': false,
    'risk.portfolioEnabled': true,
  },
  'mainnet-alpha': {
    chainId: 999,
    'risk.model': 'defined_risk',
  },
}
