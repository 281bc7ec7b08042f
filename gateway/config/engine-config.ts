import { type EngineConfig, engineTable } from '../../engine/state/market/engine-config.js'
import { engineValuesOf, valueAt } from '../../schemas/parameter.js'
import type { Config } from './config-schema.js'
import { maxIndexMicrosOf } from './underlying-rows.js'

/** The part of the configuration that decides how the engine decides, as the engine wants it. */
export function engineConfigOf(config: Config): EngineConfig {
  const { path } = engineTable.maxIndexMicros
  return engineValuesOf(engineTable, (row) =>
    row.path === path ? maxIndexMicrosOf(config.underlyings) : valueAt(config, row.path),
  )
}

/** Whose journal it is: what was signed for one of these is nothing to another. */
export function identityOf({ preset, service, chainId }: Config): string {
  return `preset ${preset}, service ${service.name}, chain ${chainId}`
}
