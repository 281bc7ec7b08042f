import { type EngineConfig, engineTable } from '../../engine/state/market/engine-config.js'
import { engineValuesOf, valueAt } from '../../schemas/parameter.js'
import type { Config } from './config-schema.js'
import { maxIndexMicrosOf } from './underlying-rows.js'

/** Returns the part of the configuration that determines the engine's decisions. */
export function engineConfigOf(config: Config): EngineConfig {
  const { path } = engineTable.maxIndexMicros
  return engineValuesOf(engineTable, (row) =>
    row.path === path ? maxIndexMicrosOf(config.underlyings) : valueAt(config, row.path),
  )
}

/** Returns the identity of a journal: signatures for one are invalid for another. */
export function identityOf({ preset, service, chainId }: Config): string {
  return `preset ${preset}, service ${service.name}, chain ${chainId}`
}
