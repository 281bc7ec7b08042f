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

const about = `Sends open-loop load to any venue of this interface, and checks every answer.
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
    .option('--url <url>', 'public address', textDefaults.url)
    .option(
      '--operator-url <url>',
      'operator interface, for funding and memory; empty: none',
      textDefaults.operatorUrl,
    )
    .option('--operator-token <token>', 'its bearer token')
    .option('--transport <name>', 'http or stream', oneOf('http', 'stream'), 'stream')
    .option('--rate <commands>', 'commands per second', above(0), 1000)
    .option('--duration <seconds>', 'measured seconds', above(0), 10)
    .option('--connections <count>', 'stream connections for commands', wholeNumber(1, 4096), 32)
    .option('--http-connections <count>', 'the same over HTTP', wholeNumber(1, 4096), 32)
    .option('--wallets <count>', 'wallets that trade', wholeNumber(1, 4096), 8)
    .option('--wallet-seed <text>', 'text that their keys come from', textDefaults.walletSeed)
    .option('--seed <number>', 'seed of the plan', wholeNumber(0, 0xffff_ffff), 1)
    .addOption(
      new Option('--mix <weights>', 'place,cancel,replace,take')
        .argParser(readMix)
        .default(readMix(textDefaults.mix), textDefaults.mix),
    )
    .option(
      '--open-orders <count>',
      'number of open orders to hold',
      wholeNumber(0, 10_000_000),
      500,
    )
    .option('--instruments <count>', 'options to trade at most', wholeNumber(1, 65_535), 20)
    .option('--currency <underlying>', 'options of this underlying only')
    .option(
      '--gaps <kind>',
      'exponential or constant',
      oneOf('exponential', 'constant'),
      'exponential',
    )
    .option('--spin-millis <millis>', 'spin this long before a planned time', above(-1), 1)
    .option(
      '--sign-ahead <commands>',
      'signed commands kept ready',
      wholeNumber(4096, 10_000_000),
      400_000,
    )
    .option('--drain <seconds>', 'wait for the last answers', above(0), 15)
    .option('--knee', 'step the rate up from --rate until the venue no longer follows')
    .option('--knee-p99 <millis>', '99th percentile that still follows', above(0), 250)
    .option('--max-p99 <millis>', 'longest 99th percentile; else exit code 99', above(0))
    .option('--min-goodput <commands>', 'least goodput per second; else exit code 99', above(0))
    .option('--csv <file>', 'a line per second')
    .option('--hgrm <path>', 'histogram per kind: a folder, or a file for all commands')
}

function readMix(text: string): LoadMix {
  const weights = text.split(',').map(Number)
  const isSound =
    weights.length === loadKindNames.length &&
    weights.every((weight) => weight >= 0 && Number.isFinite(weight)) &&
    weights[0] > 0
  if (!isSound) throw new InvalidArgumentError('four weights, the first above 0: 40,40,10,10')
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
