import { type Command, InvalidArgumentError, Option } from 'commander'
import { above, wholeNumber } from '../../gateway/command-line/option-readers.js'
import { UsageError, verbCommand } from '../../gateway/command-line/verb-command.js'
import { type LoadMix, loadKindNames } from './command-plan.js'
import type { GapKind, RatePhase } from './send-plan.js'
import type { Transport } from './wire-command.js'

/** Options of a run of the load harness. */
export interface LoadOptions {
  readonly url: string
  /** Null: the wallets must be funded already. */
  readonly operatorUrl: string | null
  readonly operatorToken: string
  readonly transport: Transport
  /** The first phase places the open orders and is not measured. The command line adds one more. */
  readonly phases: readonly RatePhase[]
  /** Stream connections for commands. The wallets' private streams are additional. */
  readonly connections: number
  /** HTTP connections, each with at most one request in flight. */
  readonly httpConnections: number
  readonly wallets: number
  readonly walletSeed: string
  readonly seed: number
  readonly mix: LoadMix
  readonly openOrders: number
  readonly instruments: number
  readonly currency: string | null
  readonly gaps: GapKind
  readonly spinMillis: number
  /** Largest number of unsent signed commands. */
  readonly signAhead: number
  /** Longest wait for the last answers in seconds. */
  readonly drainSeconds: number
  readonly isKnee: boolean
  readonly kneeP99Millis: number
  /** Thresholds of a run; by default Infinity and 0, which every run keeps. */
  readonly p99MillisMax: number
  readonly goodputMin: number
  readonly isJson: boolean
  readonly csvFile: string | null
  readonly hgrmPath: string | null
}

const about = `Sends open-loop load to a venue, and reconciles every answer.
Latencies start at the planned time of sending. The mix has four weights: place, cancel, replace,
take. With --transport stream, cancels and replaces still use HTTP. The operator token is the
option, else STRIKEBOOK_OPERATOR_TOKEN, else data/operator.token. Exit code 0: all reconciled. 1:
a difference, or a missing answer. 99: all reconciled, but a threshold was missed. 130: Ctrl-C
or SIGTERM ended the load early; the report covers the commands sent until then.`

const examples = [
  'strikebook start --maker=off --set=limits.market_maker.ordersPerMinute=1000000 &',
  'strikebook load --rate 2000 --duration 30 --json --hgrm out/ > report.json',
  "strikebook load --url http://venue:8080 --operator-url '' --transport http --wallets 32",
  'strikebook load --knee --rate 1000 --duration 5 --csv knee.csv',
]

const textDefaults = {
  url: 'http://127.0.0.1:8080',
  operatorUrl: 'http://127.0.0.1:8081',
  walletSeed: 'strikebook load',
  mix: '40,40,10,10',
} as const

/**
 * Reads the command line.
 * @throws CommanderError for `--help` and mistakes, UsageError for options that exclude each other.
 */
export function readLoadOptions(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): LoadOptions {
  const command = describe().parse([...argv], { from: 'user' })
  const { rate, duration, drain, knee, json, csv, hgrm, currency, ...others } = command.opts()
  const { maxP99, minGoodput, ...same } = others
  if (knee === true && (maxP99 !== undefined || minGoodput !== undefined)) {
    throw new UsageError('--knee looks for the threshold itself: --knee-p99')
  }
  const options: Record<keyof LoadOptions, unknown> = {
    ...(same as LoadOptions),
    phases: phasesAt(rate, duration, same['openOrders']),
    operatorUrl: same['operatorUrl'] === '' ? null : same['operatorUrl'],
    operatorToken: same['operatorToken'] ?? environment['STRIKEBOOK_OPERATOR_TOKEN'] ?? '',
    currency: currency ?? null,
    drainSeconds: drain,
    isKnee: knee === true,
    kneeP99Millis: same['kneeP99'],
    p99MillisMax: maxP99 ?? Number.POSITIVE_INFINITY,
    goodputMin: minGoodput ?? 0,
    isJson: json === true,
    csvFile: csv ?? null,
    hgrmPath: hgrm ?? null,
  }
  return options as LoadOptions
}

/** Returns a ramp that places the open orders, then `seconds` at the rate. */
export function phasesAt(
  ratePerSecond: number,
  seconds: number,
  openOrders: number,
): readonly RatePhase[] {
  return [
    { ratePerSecond, seconds: openOrders / ratePerSecond },
    { ratePerSecond, seconds },
  ]
}

function describe(): Command {
  return verbCommand('load', about, examples)
    .option('--url <url>', 'public URL of the venue', textDefaults.url)
    .option(
      '--operator-url <url>',
      'operator URL, to fund wallets and read memory; empty: none',
      textDefaults.operatorUrl,
    )
    .option('--operator-token <token>', 'bearer token of the operator interface')
    .option(
      '--transport <name>',
      'transport of orders: http or stream',
      oneOf('http', 'stream'),
      'stream',
    )
    .option('--rate <commands>', 'commands per second', above(0), 1000)
    .option('--duration <seconds>', 'duration of the measurement, in seconds', above(0), 10)
    .option('--connections <count>', 'stream connections', wholeNumber(1, 4096), 32)
    .option('--http-connections <count>', 'HTTP connections', wholeNumber(1, 4096), 32)
    .option('--wallets <count>', 'number of trading wallets', wholeNumber(1, 4096), 8)
    .option(
      '--wallet-seed <text>',
      'text from which to derive the keys of the wallets',
      textDefaults.walletSeed,
    )
    .option('--seed <number>', 'seed of the command plan', wholeNumber(0, 0xffff_ffff), 1)
    .addOption(
      new Option('--mix <weights>', 'weights of place, cancel, replace and take')
        .argParser(readMix)
        .default(readMix(textDefaults.mix), textDefaults.mix),
    )
    .option(
      '--open-orders <count>',
      'number of open orders to keep',
      wholeNumber(0, 10_000_000),
      500,
    )
    .option('--instruments <count>', 'maximum number of traded options', wholeNumber(1, 65_535), 20)
    .option('--currency <underlying>', 'trade only options of this underlying')
    .option(
      '--gaps <kind>',
      'distribution of the gaps between commands: exponential or constant',
      oneOf('exponential', 'constant'),
      'exponential',
    )
    .option(
      '--spin-millis <millis>',
      'spin for this time before each planned time, in ms',
      above(-1),
      1,
    )
    .option(
      '--sign-ahead <commands>',
      'number of commands to sign in advance',
      wholeNumber(4096, 10_000_000),
      400_000,
    )
    .option('--drain <seconds>', 'time to wait for the last answers, in seconds', above(0), 15)
    .option('--knee', 'raise the rate from --rate until the venue no longer keeps up')
    .option(
      '--knee-p99 <millis>',
      'highest 99th percentile at which the venue keeps up, in ms',
      above(0),
      250,
    )
    .option(
      '--max-p99 <millis>',
      'highest 99th percentile in ms; exit code 99 if exceeded',
      above(0),
    )
    .option(
      '--min-goodput <commands>',
      'lowest goodput per second; exit code 99 if missed',
      above(0),
    )
    .option('--csv <file>', 'write one line per second as CSV')
    .option(
      '--hgrm <path>',
      'write histograms: a folder with one per kind, or an .hgrm file for all commands',
    )
}

function readMix(text: string): LoadMix {
  const weights = text.split(',').map(Number)
  const isSound =
    weights.length === loadKindNames.length &&
    weights.every((weight) => weight >= 0 && Number.isFinite(weight)) &&
    weights[0] > 0
  if (!isSound)
    throw new InvalidArgumentError('four weights, the first above 0, such as 40,40,10,10')
  const [place, cancel, replace, take] = weights
  return { place, cancel, replace, take }
}

function oneOf<Name extends string>(...names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const name = names.find((one) => one === text)
    if (name !== undefined) return name
    throw new InvalidArgumentError(names.join(' or '))
  }
}
