import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { environmentName, flagName, type LoadedConfig, resolveConfig } from './config.js'
import { ConfigError } from './config-error.js'
import { configRows } from './config-schema.js'
import { aboutOf } from './row-forms.js'

/** Command line, in addition to the configuration itself. */
export interface CommandLine extends LoadedConfig {
  /** Prints the configuration as `toml` or `json`, and exits. */
  readonly print: 'toml' | 'json' | null
  /** True if the ready line is JSON. */
  readonly isJson: boolean
}

/** Ends the process after `--help` or a usage mistake: `exitCode` 0 or 2, `output` for stdout or stderr. */
export class CommandLineEnd extends Error {
  readonly exitCode: number

  constructor(exitCode: number, output: string) {
    super(output)
    this.name = 'CommandLineEnd'
    this.exitCode = exitCode
  }
}

const examples = `
Examples:
  $ npm start                                       a demo market on http://127.0.0.1:8080
  $ npm start -- --port=0 --feed=none --maker=off   an empty exchange on a free port
  $ npm start -- --config=venue.toml --print-config the resulting configuration of a file
  $ npm start -- --set limits.default.ordersPerMinute=600 --idle=spin

Every key is also an environment variable: operator.port is ${environmentName('operator.port')}.
Precedence: flag, environment, file, preset, default.`

/**
 * Reads the command line, the environment and the TOML file that they name.
 * @param argv Arguments without node and script; a leading `start` is allowed.
 * @throws CommandLineEnd for `--help` and usage mistakes, ConfigError for invalid values.
 */
export function readCommandLine(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const options = parseArguments(argv[0] === 'start' ? argv.slice(1) : argv)
  const flags = new Map<string, string>()
  for (const assignment of options.set) {
    const equalsAt = assignment.indexOf('=')
    if (equalsAt < 1) throw new CommandLineEnd(2, `--set ${assignment}: must be path=value`)
    flags.set(assignment.slice(0, equalsAt), assignment.slice(equalsAt + 1))
  }
  for (const { path, hasFlag } of configRows) {
    const text = options.values[camelCase(flagName(path))]
    if (hasFlag && typeof text === 'string') flags.set(path, text)
    if (hasFlag && text === true) flags.set(path, 'true')
  }
  const name = options.config ?? environment['STRIKEBOOK_CONFIG']
  const source = options.config === undefined ? 'STRIKEBOOK_CONFIG' : '--config'
  const isGiven = name !== undefined && name !== ''
  const file = isGiven ? { file: { name, text: readFile(name, source) } } : {}
  const loaded = resolveConfig({ flags, environment, ...file })
  const print = options.printConfig ? (options.json ? 'json' : 'toml') : null
  return { ...loaded, print, isJson: options.json }
}

interface Arguments {
  readonly config: string | undefined
  readonly set: readonly string[]
  readonly printConfig: boolean
  readonly json: boolean
  readonly values: Readonly<Record<string, unknown>>
}

function parseArguments(argv: readonly string[]): Arguments {
  let output = ''
  const write = (text: string) => {
    output += text
  }
  const command = new Command('strikebook start')
    .description(
      'Starts the venue and prints `ready <public URL> <operator URL>` once it accepts orders.',
    )
    .option('--config <file>', 'configuration file in TOML')
    .option('--set <path=value>', 'set any key of the configuration; repeatable', collect, [])
    .option('--print-config', 'print the resulting configuration and exit')
    .option('--json', 'print the ready line, or the configuration, as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write })
  for (const row of configRows) {
    if (!row.hasFlag) continue
    const value = row.kind === 'switch' ? '[value]' : '<value>'
    command.option(`--${flagName(row.path)} ${value}`, aboutOf(row))
  }
  try {
    command.parse([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    throw new CommandLineEnd(error.exitCode === 0 ? 0 : 2, output)
  }
  if (command.args.length > 0) {
    throw new CommandLineEnd(2, `unexpected argument: ${command.args.join(' ')}`)
  }
  const values = command.opts()
  return {
    config: values['config'],
    set: values['set'],
    printConfig: values['printConfig'] === true,
    json: values['json'] === true,
    values,
  }
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value]
}

function readFile(name: string, source: string): string {
  try {
    return readFileSync(name, 'utf8')
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ConfigError([{ path: resolve(name), source, value: `cannot be read: ${code}` }])
  }
}

function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
