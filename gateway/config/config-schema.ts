import { idleStrategies } from '../../engine/memory/doorbell.js'
import { engineTable } from '../../engine/state/market/engine-config.js'
import { resumedMessagesMax } from '../../schemas/bounds.js'
import { presetNames } from '../../schemas/domain.js'
import {
  choice,
  integer,
  list,
  number,
  onOff,
  type Row,
  type RowsIn,
  rowsOf,
  shaped,
  spanMillis,
  text,
  under,
} from '../../schemas/parameter.js'
import { isNetwork } from '../transport/client-address.js'
import { transportWishes } from '../transport/transport-kinds.js'
import { isPushHost, knownPushHosts } from '../wire/push-endpoint.js'
import type { Pinning } from './pinning-rows.js'
import { defaultGateways, defaultMatchers } from './thread-counts.js'
import { underlyingsDefault } from './underlying-rows.js'

const port = [0, 65_535] as const
const some = [1, 1_000_000_000] as const
const rate = [1, 1_000_000_000, 'a minute'] as const
const pauseMillis = [10, 3_600_000, 'ms'] as const
const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte
const unfinished = [8 * mebibyte, gibibyte, 'bytes'] as const
const queued = [mebibyte, gibibyte, 'bytes'] as const
const hostPattern = /^[A-Za-z0-9.:_-]{1,253}$/

/**
 * All parameters of the configuration: those of the gateway, and those of the engine's table in the middle. A parameter
 * has the same path everywhere: `operator.port` in the TOML file is `STRIKEBOOK_OPERATOR_PORT` in the environment and
 * `--operator-port` (or `--set operator.port=...`) on the command line. Differences between presets are in presets.ts.
 */
const tables = [
  under('', {
    preset: flag(choice('development', presetNames, 'set of defaults')),
    host: flag(text('127.0.0.1', 'address', hostPattern, 'public HTTP and WebSocket address')),
    port: flag(integer(8080, port, 'public port; 0: chosen by the system')),
    dataDir: flag(text('./data', 'path', /./s, 'journal, snapshots, history')),
    feed: flag(choice('none', ['simulated', 'none'], 'source of index and surfaces')),
    maker: flag(choice('off', ['on', 'off'], 'paper market maker')),
    gateways: flag(integer(defaultGateways(), [1, 16], 'gateway threads')),
    matchers: flag(integer(defaultMatchers(), [0, 8], 'matcher threads; 0: in the core')),
    transport: flag(
      choice('auto', transportWishes, 'HTTP and WebSocket library; auto: native where it loads'),
    ),
    durability: flag(
      choice('flush', ['flush', 'memory'], 'whether an acknowledged action is on disk'),
    ),
    acceptLoss: flag(
      onOff(false, 'start although the journal has lost what was durable; trading is halted'),
    ),
    acceptLostFiles: flag(
      onOff(false, 'continue although rail.jsonl or the audit log lacks what the journal knows of'),
    ),
    takeMemory: onOff(true, 'memory that fills up by and by is taken at the start'),
    idle: flag(choice('park', idleStrategies, 'what a thread without work does')),
    pinning: shaped(
      'pinning',
      {} as Pinning,
      'core that a thread is pinned to; the others run where the kernel puts them',
    ),
    chainId: flag(integer(31_337, [1, Number.MAX_SAFE_INTEGER], 'chain of the signing domain')),
  }),
  under('service', {
    name: flag(
      text(
        'Strikebook',
        '1 to 64 printable characters',
        /^[\x20-\x7e]{1,64}$/,
        'name of the signing domain',
      ),
    ),
  }),
  under('reads', {
    private: flag(
      choice(
        'open',
        ['open', 'signed'],
        'whether what is told of a wallet wants its signed session',
      ),
    ),
  }),
  under('native', {
    accepted: list(
      'SHA-256 in 64 hexadecimal digits',
      isSha256,
      'native binaries that are loaded although they are not the pinned ones',
    ),
  }),
  under('signing', { enabled: onOff(true, 'whether signed writes are taken') }),
  under('operator', {
    host: flag(text('127.0.0.1', 'address', hostPattern, 'address of the operator interface')),
    port: flag(integer(8081, port, 'port of the operator interface; 0: chosen by the system')),
    token: secret(
      flag(
        text('', 'text without spaces', /^[\x21-\x7e]*$/, 'bearer token; none: no operator routes'),
      ),
    ),
    hosts: list('host names', isHost, 'names it is asked by, beside those of loopback'),
    tokensFile: flag(
      text('', 'path', /^.*$/, 'identities with scopes and hashes of their tokens; none: no file'),
    ),
    secondApproval: onOff(false, 'whether money moves on the word of a second identity only'),
    approvalSeconds: integer(3600, [10, 604_800, 's'], 'how long a request waits for that word'),
    auditFileBytes: integer(
      64 * 1024 * 1024,
      [4096, 2 ** 30, 'bytes'],
      'a file of the audit log that has so many is closed, and the next one begun',
    ),
  }),
  under('http', {
    trustedProxies: list(
      'addresses or networks such as 10.0.0.0/8',
      isNetwork,
      'proxies whose X-Forwarded-For is believed',
    ),
    connectionsMax: integer(16_384, some, 'connections in all, if the limit of open files allows'),
    unfinishedBytesMax: integer(
      64 * mebibyte,
      unfinished,
      'unfinished bodies, and unfinished frames of up to half of it',
    ),
    unreadBytesMax: integer(64 * mebibyte, unfinished, 'answers that clients have not read'),
  }),
  under('tls', {
    certFile: text('', 'path', /^/, 'PEM certificate with its chain; none: plain HTTP'),
    keyFile: text('', 'path', /^/, 'PEM key of it'),
  }),
  under('limits', {
    failedRecoveriesPerMinute: integer(
      200,
      rate,
      'failed or unfunded signatures per client address',
    ),
    connectionsPerAddressMax: integer(256, some, 'connections per client address'),
    resumedMessagesPerMinute: integer(
      500_000,
      [resumedMessagesMax, rate[1], 'a minute'],
      'messages of resumes, per client address or wallet with a session',
    ),
    addressLimitsOnLoopback: onOff(true, 'whether the three limits above hold on loopback'),
  }),
  under('faucet', {
    grantsPerMinute: integer(1, rate, 'grants of a client address, in development alone'),
    grantsPerMinuteOnLoopback: integer(20, rate, 'grants of a client on this machine'),
    accountsMax: integer(100_000, some, 'accounts of the venue, above which none is opened by it'),
  }),
  under('clock', {
    stepMillisMax: integer(
      2000,
      [100, 3_600_000, 'ms'],
      'off steady time, that the clock was stepped',
    ),
    downtimeHoursMax: number(
      72,
      [0.001, 87_600, 'hours'],
      'the clock ahead of the journal at a start',
    ),
  }),
  engineTable,
  under('perp', {
    source: text(
      '',
      'up to 64 printable ASCII characters',
      /^[\x20-\x7e]{0,64}$/,
      'source in the signatures of perp actions; none: service name and chain, as in Strikebook/31337',
    ),
    foreignSource: onOff(false, 'whether the source may be one that other exchanges use: a or b'),
  }),
  under('stream', {
    bookDepth: integer(100, [1, 1000], 'levels per side of a book message'),
    maxSubscriptions: integer(1024, some, 'subscriptions per connection'),
    maxSymbolsPerFrame: integer(4096, some, 'symbols per frame'),
    commandsInFlightMax: integer(64, some, 'signed commands under way per connection'),
    pingMillis: integer(20_000, pauseMillis, 'time between pings'),
    // Applies to clients without subscriptions.
    idleMillis: integer(300_000, [10, 86_400_000, 'ms'], 'silence that ends a connection'),
    pongTimeoutMillis: integer(60_000, pauseMillis, 'time until a pong is missed'),
    bookIntervalMillis: integer(10, spanMillis, 'least time between books of a symbol'),
    chainIntervalMillis: integer(250, spanMillis, 'least time between messages of a chain row'),
    indexIntervalMillis: integer(500, spanMillis, 'least time between index messages'),
    indexIdleIntervalMillis: integer(2000, spanMillis, 'most time between index messages'),
    queueMessages: integer(16_384, some, 'slow consumer: messages queued'),
    queueBytes: integer(8 * mebibyte, [1, some[1], 'bytes'], 'slow consumer: queued'),
    queueAgeMillis: integer(5000, spanMillis, 'slow consumer: age of a queued message'),
    writeTimeoutMillis: integer(5000, spanMillis, 'slow consumer: one socket write'),
  }),
  under('quotes', {
    ttlMillis: integer(60_000, pauseMillis, 'life of an indicative quote that does not come again'),
    authTimeoutMillis: integer(10_000, pauseMillis, 'time for the handshake of a quote provider'),
    connectMaxSkewMillis: integer(60_000, pauseMillis, 'timestamp of a handshake off our time'),
    queueBytes: integer(64 * mebibyte, queued, 'waiting for one quote provider, at most'),
  }),
  under('push', {
    enabled: onOff(true, 'whether browsers are notified'),
    allowedHosts: {
      ...list('host names, or *.name', isPushHost, 'push services that are called'),
      fallback: knownPushHosts,
    },
    allowPrivate: onOff(false, 'whether addresses of our own network are called; development only'),
    subject: text(
      'mailto:push@strikebook.invalid',
      'mailto: or https: address',
      /^(mailto:[\x21-\x7e]+@|https:\/\/)[\x21-\x7e]{1,200}$/,
      'whom push services may write to',
    ),
    queueMax: integer(10_000, [1, 1_000_000], 'notifications that wait; the oldest give way'),
    timeoutMillis: integer(10_000, [10, 600_000, 'ms'], 'time that a push service has to answer'),
    attemptsMax: integer(5, [1, 20], 'attempts at one notification'),
    retryMillis: integer(1000, [1, 600_000, 'ms'], 'pause before the second one; it doubles'),
    maxAgeSeconds: integer(
      600,
      [1, 86_400, 's'],
      'age at which a notification is not sent any more',
    ),
    perHostMax: integer(8, [1, 1000], 'requests under way to one push service'),
  }),
  under('competitions', {
    namesUrl: text(
      '',
      'http address with {wallet}',
      /^(https?:\/\/[\x21-\x7e]*\{wallet\}[\x21-\x7e]*)?$/,
      'where names for leaderboards are looked up; none: there are none',
    ),
    namesTimeoutMillis: integer(3000, [10, 60_000, 'ms'], 'time that a look-up may take'),
  }),
  under('push.vapid', {
    publicKey: text(
      '',
      'base64url of 65 bytes',
      /^([A-Za-z0-9_-]{87})?$/,
      'key that browsers know us by',
    ),
    privateKey: secret(
      text(
        '',
        'base64url of 32 bytes',
        /^([A-Za-z0-9_-]{43})?$/,
        'the key behind it; none: made once',
      ),
    ),
  }),
  under('deprecation', {
    deprecation: header('true', 'header Deprecation of an order without route'),
    sunset: header('Sat, 04 Jul 2026 00:00:00 GMT', 'header Sunset'),
    removalUnix: integer(1_783_123_200, [0, 2 ** 32 - 1, 's'], 'header X-Deprecation-Removal-Unix'),
    warning: header('299 - "route will become required; send route explicitly"', 'header Warning'),
  }),
  under('compat', {
    decimalStrings: onOff(false, 'filled_size as decimal text'),
    unknownFields: choice('ignore', ['refuse', 'ignore'], 'fields that a request does not know'),
  }),
  under('instruments', {
    minTradeAmount: number(1e-8, [1e-8, 100_000, 'contracts'], 'least size shown to clients'),
  }),
  under('', {
    underlyings: shaped(
      'underlyings',
      underlyingsDefault,
      'per underlying: time of day of expiry, else 08:00; highest index, else 10 times that at its listing',
    ),
  }),
  under('withdrawals', {
    rail: choice('none', ['simulated', 'none'], 'what delivers withdrawals; none: there are none'),
    outcomes: text(
      '',
      'address=outcome, with commas between them',
      /^(0x[0-9a-fA-F]{40}=[a-z_]+(,(?=0x)|$))*$/,
      'of the simulated rail: what becomes of withdrawals to an address, to try failures',
    ),
    stepMillis: integer(250, [1, 3_600_000, 'ms'], 'of the simulated rail: between two steps'),
  }),
  under('journal', {
    segmentBytes: integer(64 * mebibyte, [mebibyte, gibibyte, 'bytes'], 'length of a segment'),
    snapshotBatches: integer(
      20_000,
      [0, some[1]],
      'batches between two snapshots of the state; 0: no snapshot by number of batches',
    ),
    snapshotSeconds: integer(
      30,
      [0, 86_400, 's'],
      'time between two snapshots, if there are new batches; 0: no snapshot by time',
    ),
    archivedSnapshots: integer(
      64,
      [0, 1000],
      'superseded snapshots in journal/archive, sparser with age, for short replays',
    ),
    slowFlushMillis: integer(
      200,
      [1, 3_600_000, 'ms'],
      'of a flush that is logged with its causes',
    ),
  }),
  under('invariants', {
    checkMillis: integer(
      1000,
      [0, 3_600_000, 'ms'],
      'between two looks at what must always hold; 0: none',
    ),
  }),
  under('history', {
    keepDays: integer(
      0,
      [0, 36_500, 'days'],
      'age at which finished orders, fills, trades and directives go; 0: never',
    ),
    queryThreads: integer(1, [1, 16], 'threads of history queries'),
    checkHours: integer(24, [0, 8760, 'hours'], 'between checks of the store; 0: none'),
  }),
] as const

/** Path within a shaped value; the row of that value reads it. */
type InnerPath = `${string}*${string}`
type ConfigRow = Exclude<RowsIn<typeof tables>, { readonly path: InnerPath }>
/** Path of the configuration, and type of its value. */
export type ConfigPath = ConfigRow['path']
export type ConfigValue<Path extends ConfigPath> = Extract<ConfigRow, { path: Path }>['fallback']

/** Configuration: plain data, for `structuredClone` and worker threads. */
export type Config = Values<ConfigRow>

/** Values of rows, nested by their paths. */
type Values<R extends ConfigRow, Prefix extends string = ''> = {
  readonly [Name in NameIn<R['path'], Prefix>]: `${Prefix}${Name}` extends R['path']
    ? Extract<R, { path: `${Prefix}${Name}` }>['fallback']
    : Values<Extract<R, { path: `${Prefix}${Name}.${string}` }>, `${Prefix}${Name}.`>
}
type NameIn<Path extends string, Prefix extends string> = Path extends `${Prefix}${infer Rest}`
  ? Rest extends `${infer Name}.${string}`
    ? Name
    : Rest
  : never

/** Every row, in the order of the tables. */
export const configRows: readonly Row[] = rowsOf(tables).filter(({ path }) => !path.includes('*'))

// Function declarations, because the tables above are built while this file loads.

/** Gives a row its own flag in `--help`. */
function flag<R extends Row>(row: R): R {
  return { ...row, hasFlag: true }
}

function secret<R extends Row>(row: R): R {
  return { ...row, isSecret: true }
}

function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

function isHost(name: string): boolean {
  return hostPattern.test(name)
}

function header(fallback: string, about: string) {
  return text(fallback, 'printable ASCII', /^[\x20-\x7e]{1,256}$/, about)
}
