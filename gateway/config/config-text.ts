import { stringify } from 'smol-toml'
import type { Scenario } from '../../engine/pricing/scenarios.js'
import { type Config, configKeys } from './config-schema.js'
import { scenarioRows } from './scenario-rows.js'

// Two words are no token: a printed configuration that is read again asks for a real one.
const hidden = '(not shown)'

/** The configuration as a TOML file that would give it; secrets hidden. */
export function configAsToml(config: Config): string {
  return stringify(shownConfig(config))
}

/** The configuration as JSON; secrets hidden. */
export function configAsJson(config: Config): string {
  return JSON.stringify(shownConfig(config), null, 2)
}

/** The configuration as it may be shown and logged: scenarios as the file writes them, no secrets. */
export function shownConfig(config: Config): object {
  const shown = structuredClone(config) as unknown as Record<string, unknown>
  for (const [path, key] of configKeys) {
    const names = path.split('.')
    const last = names.pop()!
    const table = names.reduce((node, name) => node[name] as Record<string, unknown>, shown)
    if (key.isSecret && table[last] !== '') table[last] = hidden
    if (last === 'scenarios') table[last] = scenarioRows(table[last] as readonly Scenario[])
  }
  return shown
}
