import { parse } from 'smol-toml'
import { byTables, isRow, type Row } from '../../schemas/parameter.js'
import { nearestName } from '../unknown-field.js'
import { ConfigError, type ConfigMistake } from './config-error.js'
import { type Config, configRows } from './config-schema.js'
import { type PresetName, presets } from './presets.js'
import { formOf } from './row-forms.js'

/** What a configuration is made from. */
export interface ConfigSources {
  /** Values of flags by path, as text; later ones win. */
  readonly flags: ReadonlyMap<string, string>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Text of the TOML file, and its name for mistakes. */
  readonly file?: { readonly name: string; readonly text: string }
}

export interface LoadedConfig {
  readonly config: Config
}

const environmentPrefix = 'STRIKEBOOK_'
const rowsByPath = new Map(configRows.map((row) => [row.path, row]))
/** The rows in the tables of the file. */
const fileTables = byTables(configRows, (row) => row)
/** What venues sign that have the domain and the struct of perp actions in common with this one. */
const foreignSources = ['a', 'b']
// Read elsewhere: not keys of the configuration, and no misspelt ones either.
const environmentOthers = [
  'STRIKEBOOK_CONFIG',
  'STRIKEBOOK_VERIFY',
  'STRIKEBOOK_TEST_SEED',
] as const
/** What Kubernetes sets in each container for a service whose name begins with `strikebook`: names, and values. */
const linkName = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/
const linkText = /^(tcp|udp|sctp):\/\//
const noLinks = 'nothing of a Kubernetes service of this name (enableServiceLinks: false)'

/**
 * Resolves the configuration: flag beats environment beats file beats preset beats default.
 * @throws ConfigError with every mistake at once: unknown keys, values out of range, values that exclude
 * each other.
 */
export function resolveConfig(sources: ConfigSources): LoadedConfig {
  const mistakes: ConfigMistake[] = []
  const given = new Map<string, Given>()
  takeFile(sources, given, mistakes)
  takeEnvironment(sources.environment, given, mistakes)
  takeFlags(sources.flags, given, mistakes)
  const preset = given.get('preset')?.value ?? rowsByPath.get('preset')!.fallback
  const ofPreset: Readonly<Record<string, unknown>> = presets[preset as PresetName]
  const config = byTables(
    configRows,
    ({ path, fallback }) => given.get(path)?.value ?? ofPreset[path] ?? fallback,
  ) as Config
  checkTogether(config, given, mistakes)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return { config }
}

/** Name of a key's environment variable: `operator.port` is `STRIKEBOOK_OPERATOR_PORT`. */
export function environmentName(path: string): string {
  return environmentPrefix + words(path, '_').toUpperCase()
}

/** Name of a key's flag: `operator.port` is `operator-port`. */
export function flagName(path: string): string {
  return words(path, '-').toLowerCase()
}

interface Given {
  readonly value: unknown
  readonly source: string
}

function takeFile(
  sources: ConfigSources,
  given: Map<string, Given>,
  mistakes: ConfigMistake[],
): void {
  if (sources.file === undefined) return
  const { name, text } = sources.file
  try {
    takeTable(parse(text), fileTables, '', name, given, mistakes)
  } catch (error) {
    const detail = error instanceof Error ? error.message.split('\n')[0]! : String(error)
    mistakes.push({ path: '(file)', source: name, value: detail, allowed: 'TOML' })
  }
}

function takeTable(
  table: object,
  tables: object,
  prefix: string,
  source: string,
  given: Map<string, Given>,
  mistakes: ConfigMistake[],
): void {
  for (const [name, value] of Object.entries(table)) {
    const node = Object.hasOwn(tables, name) ? Reflect.get(tables, name) : undefined
    const path = prefix + name
    if (isRow(node)) take(node, value, source, given, mistakes)
    else if (node !== undefined && typeof value === 'object' && !Array.isArray(value)) {
      takeTable(value, node as object, `${path}.`, source, given, mistakes)
    } else {
      const allowed = Object.keys(tables).join(', ')
      mistakes.push({ path, source, value: node ? 'no table' : 'unknown key', allowed })
    }
  }
}

function takeEnvironment(
  environment: ConfigSources['environment'],
  given: Map<string, Given>,
  mistakes: ConfigMistake[],
): void {
  for (const row of configRows) {
    const name = environmentName(row.path)
    const text = environment[name]
    if (text === undefined || text === '') continue
    take(row, formOf(row).read(text) ?? text, name, given, mistakes, linkText.test(text))
  }
  const known = new Set(
    configRows.map(({ path }) => environmentName(path)).concat(environmentOthers),
  )
  for (const [name, text = ''] of Object.entries(environment)) {
    if (!name.startsWith(environmentPrefix) || known.has(name)) continue
    const near = linkName.test(name) || linkText.test(text) ? noLinks : nearestName(name, known)
    const allowed = near ?? 'the variables of the keys that --print-config shows'
    mistakes.push({ path: name, source: 'environment', value: 'unknown variable', allowed })
  }
}

function takeFlags(
  flags: ConfigSources['flags'],
  given: Map<string, Given>,
  mistakes: ConfigMistake[],
): void {
  for (const [path, text] of flags) {
    const row = rowsByPath.get(path)
    const source = row?.hasFlag ? `--${flagName(path)}` : '--set'
    if (row === undefined) {
      const allowed = 'a path that --print-config shows'
      mistakes.push({ path, source, value: 'unknown key', allowed })
    } else take(row, formOf(row).read(text) ?? text, source, given, mistakes)
  }
}

function take(
  row: Row,
  raw: unknown,
  source: string,
  given: Map<string, Given>,
  mistakes: ConfigMistake[],
  isLink = false,
): void {
  const { path } = row
  const form = formOf(row)
  const value = form.take(raw)
  const allowed = isLink ? `${form.allowed}, ${noLinks}` : form.allowed
  if (value !== null) given.set(path, { value, source })
  else mistakes.push({ path, source, value: shown(row, raw), allowed })
}

function shown(row: Row, raw: unknown): string {
  if (row.isSecret) return '(not shown)'
  return typeof raw === 'string' ? `"${raw}"` : JSON.stringify(raw)
}

/** What no row can say alone. */
function checkTogether(
  config: Config,
  given: ReadonlyMap<string, Given>,
  mistakes: ConfigMistake[],
): void {
  const fail = (path: string, allowed: string) => {
    const source = given.get(path)?.source ?? `preset ${config.preset}`
    const row = rowsByPath.get(path)!
    mistakes.push({ path, source, value: shown(row, given.get(path)?.value), allowed })
  }
  for (const [name, values] of Object.entries(presets)) {
    if (name !== config.preset && values['chainId'] === config.chainId) {
      fail(
        'chainId',
        `anything but the chain of preset ${name}: signatures must not be valid twice`,
      )
    }
  }
  if (config.preset === 'mainnet-alpha' && config.risk.portfolioEnabled) {
    fail('risk.portfolioEnabled', 'false on mainnet-alpha')
  }
  const { makerRate, takerRate, perpMakerRate, perpTakerRate } = config.fees
  for (const [name, maker, taker] of [
    ['fees.makerRate', makerRate, takerRate],
    ['fees.perpMakerRate', perpMakerRate, perpTakerRate],
  ] as const) {
    if (maker + taker < 0) fail(name, `at least ${-taker}: a trade must not cost the venue`)
  }
  if (foreignSources.includes(config.perp.source) && !config.perp.foreignSource) {
    fail('perp.source', 'not a or b: signatures made for other exchanges would be valid here')
  }
  checkMargin(config.risk, fail)
  if (config.port !== 0 && config.port === config.operator.port) {
    fail('operator.port', `anything but the public port ${config.port}`)
  }
  const { certFile, keyFile } = config.tls
  if ((certFile === '') !== (keyFile === '')) {
    fail(certFile === '' ? 'tls.certFile' : 'tls.keyFile', 'both files of TLS, or neither')
  }
  if (config.maker === 'on' && !config.signing.enabled) {
    fail('maker', 'off where signing.enabled is false: the maker signs its orders')
  }
}

/**
 * A bought option may lose all that it is worth, and its price is what its order has reserved: margin must not ask for
 * more than that, or a fill would take a wallet below it. Nor may who meets initial margin be below maintenance.
 */
function checkMargin(
  { standard, portfolio, perp }: Config['risk'],
  fail: (path: string, allowed: string) => void,
): void {
  const heaviest = Math.max(...standard.scenarios.map(({ weightPermille }) => weightPermille))
  const factorMax = 1000 / heaviest
  if (standard.imFactor > factorMax) {
    fail('risk.standard.imFactor', `at most ${factorMax}: with the weight of a scenario at most 1`)
  }
  if (portfolio.scenarios.some(({ weightPermille }) => weightPermille > 1000)) {
    fail('risk.portfolio.scenarios', 'weights of at most 1')
  }
  for (const [path, maintenance, initial] of [
    ['risk.standard.mmFactor', standard.mmFactor, standard.imFactor],
    ['risk.standard.shortMinimumMm', standard.shortMinimumMm, standard.shortMinimumIm],
    ['risk.portfolio.mmRatio', portfolio.mmRatio, 1],
    ['risk.perp.maintenanceFraction', perp.maintenanceFraction, perp.initialFraction],
  ] as const) {
    if (maintenance > initial) fail(path, `at most ${initial}, as initial margin`)
  }
}

function words(path: string, separator: string): string {
  return path
    .replace(/([a-z0-9])([A-Z])/g, `$1${separator}$2`)
    .replaceAll('.', separator)
    .replaceAll('_', separator)
}
