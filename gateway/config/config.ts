import { resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { presetNames } from '../../schemas/domain.js'
import { byTables, isRow, type Row } from '../../schemas/parameter.js'
import { isLoopbackName } from '../wire/loopback-name.js'
import { nearestName } from '../wire/unknown-field.js'
import { ConfigError, type ConfigMistake } from './config-error.js'
import { type Config, type ConfigPath, configRows } from './config-schema.js'
import { type PresetName, presets } from './presets.js'
import { formOf } from './row-forms.js'

/** Sources of a configuration. */
export interface ConfigSources {
  /** Values of flags by path, as text. Later ones win. */
  readonly flags: ReadonlyMap<string, string>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Text of the TOML file, and its name for error messages. */
  readonly file?: { readonly name: string; readonly text: string }
}

export interface LoadedConfig {
  readonly config: Config
}

const environmentPrefix = 'STRIKEBOOK_'
const rowsByPath = new Map(configRows.map((row) => [row.path, row]))
/** Rows, nested as the tables of the file. */
const fileTables = byTables(configRows, (row) => row)
/** Sources of other venues whose perp actions have the same domain and struct. */
const foreignSources = ['a', 'b']
// Variables read elsewhere, which are neither configuration keys nor misspelt ones.
const otherNames = [
  ...['STRIKEBOOK_CONFIG', 'STRIKEBOOK_VERIFY', 'STRIKEBOOK_TEST_SEED', 'STRIKEBOOK_NEEDS_PYTHON'],
  ...['STRIKEBOOK_URL', 'STRIKEBOOK_KEY'], // of client programs, in the same shell
]
/** Names and values that Kubernetes sets in each container for a service whose name begins with `strikebook`. */
const linkName = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/
const linkText = /^(tcp|udp|sctp):\/\//
const noLinks = 'no variables of a Kubernetes service of this name (set enableServiceLinks: false)'

/**
 * Resolves the configuration: flag beats environment beats file beats preset beats default.
 * @throws ConfigError with all mistakes: unknown keys, values out of range, values that exclude each other.
 */
export function resolveConfig(sources: ConfigSources): LoadedConfig {
  const given = new GivenValues()
  given.takeFile(sources.file)
  given.takeEnvironment(sources.environment)
  given.takeFlags(sources.flags)
  const preset = given.valueOf(rowsByPath.get('preset')!) as PresetName
  const ofPreset: Readonly<Record<string, unknown>> = presets[preset]
  const config = byTables(configRows, (row) => given.valueOf(row, ofPreset[row.path])) as Config
  checkTogether(config, (path, allowed) => given.fail(path, allowed, `preset ${preset}`))
  checkExposure(given, config)
  if (given.mistakes.length > 0) throw new ConfigError(given.mistakes)
  return { config }
}

/** Requires an explicit preset for a public address, because the default preset gives money to everybody. */
function checkExposure(given: GivenValues, { host, preset }: Config): void {
  if (given.has('preset') || isLoopbackName(host)) return
  const allowed = `${presetNames.join(', ')}, named explicitly: host ${host} is not a loopback address`
  given.mistakes.push({ path: 'preset', source: 'default', value: preset, allowed })
}

/** Name of a key's environment variable: `operator.port` is `STRIKEBOOK_OPERATOR_PORT`. */
export function environmentName(path: string): string {
  return environmentPrefix + words(path, '_').toUpperCase()
}

/** Name of a key's flag: `operator.port` is `operator-port`. */
export function flagName(path: string): string {
  return words(path, '-').toLowerCase()
}

/** Given values by path with their sources, and all mistakes. */
class GivenValues {
  readonly mistakes: ConfigMistake[] = []
  readonly #values = new Map<string, { readonly value: unknown; readonly source: string }>()

  /** Returns the given value of a row, or its default. */
  valueOf({ path, fallback }: Row, otherwise: unknown = fallback): unknown {
    return this.#values.get(path)?.value ?? otherwise
  }

  has(path: string): boolean {
    return this.#values.has(path)
  }

  /** Notes a value that is valid by itself, but not with others. */
  fail(path: string, allowed: string, sourceOtherwise: string): void {
    const { value, source = sourceOtherwise } = this.#values.get(path) ?? {}
    this.mistakes.push({ path, source, value: shown(rowsByPath.get(path)!, value), allowed })
  }

  takeFile(file: ConfigSources['file']): void {
    if (file === undefined) return
    try {
      this.#takeTable(parse(file.text), fileTables, '', file.name)
    } catch (error) {
      const value = error instanceof Error ? error.message.split('\n')[0]! : String(error)
      const place = error instanceof TomlError ? `:${error.line}:${error.column}` : ''
      const path = `${resolve(file.name)}${place}`
      this.mistakes.push({ path, source: 'configuration file', value })
    }
  }

  takeEnvironment(environment: ConfigSources['environment']): void {
    for (const row of configRows) {
      const name = environmentName(row.path)
      const text = environment[name]
      if (text === undefined || text === '') continue
      this.#takeText(row, text, name, linkText.test(text) ? `, ${noLinks}` : '')
    }
    const known = new Set([...configRows.map(({ path }) => environmentName(path)), ...otherNames])
    for (const [name, text = ''] of Object.entries(environment)) {
      if (!name.startsWith(environmentPrefix) || known.has(name)) continue
      const isLink = linkName.test(name) || linkText.test(text)
      const near = isLink ? null : nearestName(name, known)
      const allowed = isLink ? noLinks : 'variables of the keys that --print-config shows'
      const value = 'unknown variable'
      this.mistakes.push({ path: name, source: 'environment', value, allowed, near })
    }
  }

  takeFlags(flags: ConfigSources['flags']): void {
    for (const [path, text] of flags) {
      const row = rowsByPath.get(path)
      const source = row?.hasFlag ? `--${flagName(path)}` : '--set'
      const allowed = 'a path that --print-config shows'
      if (row !== undefined) this.#takeText(row, text, source)
      else {
        const near = nearestName(path, rowsByPath.keys())
        this.mistakes.push({ path, source, value: 'unknown key', allowed, near })
      }
    }
  }

  #takeTable(table: object, known: object, prefix: string, source: string): void {
    for (const [name, value] of Object.entries(table)) {
      const node = Object.hasOwn(known, name) ? Reflect.get(known, name) : undefined
      const path = prefix + name
      if (isRow(node)) this.#take(node, value, source)
      else if (node !== undefined && typeof value === 'object' && !Array.isArray(value)) {
        this.#takeTable(value, node, `${path}.`, source)
      } else {
        const names = Object.keys(known)
        const local = nearestName(name, names)
        const nearest = local === null ? nearestName(path, rowsByPath.keys()) : prefix + local
        const near = node ? null : nearest
        const value = node ? 'not a table' : 'unknown key'
        this.mistakes.push({ path, source, value, allowed: names.join(', '), near })
      }
    }
  }

  #takeText(row: Row, text: string, source: string, hint = ''): void {
    this.#take(row, formOf(row).read(text) ?? text, source, hint)
  }

  #take(row: Row, raw: unknown, source: string, hint = ''): void {
    const { path } = row
    const { allowed, take } = formOf(row)
    const value = take(raw)
    if (value !== null) this.#values.set(path, { value, source })
    else this.mistakes.push({ path, source, value: shown(row, raw), allowed: allowed + hint })
  }
}

function shown(row: Row, raw: unknown): string {
  if (row.isSecret) return '(not shown)'
  return typeof raw === 'string' ? `"${raw}"` : JSON.stringify(raw)
}

/** Checks the rules between several rows. */
function checkTogether(config: Config, fail: (path: ConfigPath, allowed: string) => void): void {
  for (const [name, values] of Object.entries(presets)) {
    if (name !== config.preset && values['chainId'] === config.chainId) {
      fail(
        'chainId',
        `any value except the chain id of preset ${name}: a signature must be valid for one venue only`,
      )
    }
  }
  if (config.push.allowPrivate && config.preset !== 'development') {
    fail('push.allowPrivate', 'false outside the preset development')
  }
  if ((config.push.vapid.publicKey === '') !== (config.push.vapid.privateKey === '')) {
    fail('push.vapid.publicKey', 'set together with push.vapid.privateKey, or both empty')
  }
  if (config.preset === 'mainnet-alpha' && config.risk.portfolioEnabled) {
    fail('risk.portfolioEnabled', 'false on mainnet-alpha')
  }
  const { makerRate, takerRate, perpMakerRate, perpTakerRate } = config.fees
  for (const [name, maker, taker] of [
    ['fees.makerRate', makerRate, takerRate],
    ['fees.perpMakerRate', perpMakerRate, perpTakerRate],
  ] as const) {
    if (maker + taker < 0)
      fail(name, `at least ${-taker}: the fees of a trade must not add up to a cost for the venue`)
  }
  if (foreignSources.includes(config.perp.source) && !config.perp.foreignSource) {
    fail(
      'perp.source',
      'any text except a and b: signatures made for other exchanges would be valid here',
    )
  }
  checkMargin(config.risk, fail)
  if (config.port !== 0 && config.port === config.operator.port) {
    fail('operator.port', `any port except the public port ${config.port}`)
  }
  const { certFile, keyFile } = config.tls
  if ((certFile === '') !== (keyFile === '')) {
    fail(
      certFile === '' ? 'tls.certFile' : 'tls.keyFile',
      'tls.certFile and tls.keyFile set together, or both empty',
    )
  }
  if (config.maker === 'on' && !config.signing.enabled) {
    fail('maker', 'off while signing.enabled is false: the market maker signs its orders')
  }
}

/**
 * Checks the margin parameters. A long option can lose all its value, and its order has reserved its price, so margin
 * must not exceed that, or a fill would take the wallet below it. Maintenance margin must not exceed initial margin.
 */
function checkMargin(
  { standard, portfolio, perp }: Config['risk'],
  fail: (path: ConfigPath, allowed: string) => void,
): void {
  const heaviest = Math.max(...standard.scenarios.map(({ weightPermille }) => weightPermille))
  const factorMax = 1000 / heaviest
  if (standard.imFactor > factorMax) {
    fail(
      'risk.standard.imFactor',
      `at most ${factorMax}: the factor times the largest scenario weight must not exceed 1`,
    )
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
    if (maintenance > initial) fail(path, `at most ${initial}, the value of initial margin`)
  }
}

function words(path: string, separator: string): string {
  return path
    .replace(/([a-z0-9])([A-Z])/g, `$1${separator}$2`)
    .replaceAll('.', separator)
    .replaceAll('_', separator)
}
