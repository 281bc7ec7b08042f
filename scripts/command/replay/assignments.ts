import { InvalidArgumentError } from 'commander'
import { type EngineConfig, engineTable } from '../../../engine/state/market/engine-config.js'
import { resolveConfig } from '../../../gateway/config/config.js'
import { engineConfigOf } from '../../../gateway/config/engine-config.js'
import { isRow, type Table } from '../../../schemas/parameter.js'

/** Path and value of an engine parameter, spelled as in a configuration file. */
export interface Assignment {
  readonly path: string
  readonly text: string
}

/** Parses `path=value`. @throws InvalidArgumentError if the engine has no such parameter. */
export function readAssignment(given: string): Assignment {
  const equalsAt = given.indexOf('=')
  const [path, text] = [given.slice(0, equalsAt), given.slice(equalsAt + 1)]
  if (equalsAt < 1) throw new InvalidArgumentError('must be path=value')
  if (pathsOf(engineTable as Table).includes(path)) return { path, text }
  throw new InvalidArgumentError('not an engine parameter; start --print-config lists them')
}

/** Returns the configuration with the assigned parameters. @throws ConfigError for an invalid value. */
export function withAssignments(
  config: EngineConfig,
  assignments: readonly Assignment[],
): EngineConfig {
  const flags = new Map(assignments.map(({ path, text }) => [path, text]))
  const given = engineConfigOf(resolveConfig({ flags, environment: {} }).config)
  return merged(engineTable as Table, config, given, new Set(flags.keys())) as EngineConfig
}

/** Returns the values of `one`, with those at `paths` taken from `other`. */
function merged(table: Table, one: unknown, other: unknown, paths: ReadonlySet<string>): unknown {
  if (isRow(table)) return paths.has(table.path) ? other : one
  const within = (name: string, node: Table) =>
    merged(node, Reflect.get(one as object, name), Reflect.get(other as object, name), paths)
  const entries = Object.entries(table).map(([name, node]) => [name, within(name, node)] as const)
  return Array.isArray(table) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

function pathsOf(table: Table): readonly string[] {
  return isRow(table) ? [table.path] : Object.values(table).flatMap(pathsOf)
}
