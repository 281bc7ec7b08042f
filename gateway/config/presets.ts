import type { presetNames } from '../../schemas/domain.js'
import type { ConfigPath, ConfigValue } from './config-schema.js'

export type PresetName = (typeof presetNames)[number]

type Defaults = { readonly [Path in ConfigPath]?: ConfigValue<Path> }

/** Values in which each preset differs from the defaults of the rows, by path. No two share a signing domain. */
export const presets: Readonly<Record<PresetName, Defaults>> = {
  development: {
    chainId: 31_337,
    feed: 'simulated',
    maker: 'on',
    'withdrawals.rail': 'simulated',
    'limits.addressLimitsOnLoopback': false,
    'pricing.indexMaxAgeMillis': 0,
    'pricing.surfaceMaxAgeMillis': 0,
    'settlement.maxCarryMillis': 0,
    'compat.unknownFields': 'refuse',
  },
  testnet: {
    chainId: 998,
    'signing.enabled': false,
  },
  'mainnet-alpha': {
    chainId: 999,
    'risk.model': 'defined_risk',
    'risk.portfolioEnabled': false,
  },
}
