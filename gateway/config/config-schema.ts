import { idleStrategies } from '../../engine/memory/wakeup.js'
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
    preset: flag(choice('development', presetNames, 'set of default values')),
    host: flag(text('127.0.0.1', 'address', hostPattern, 'public HTTP and WebSocket address')),
    port: flag(integer(8080, port, 'public port; 0: the system chooses one')),
    dataDir: flag(text('./data', 'path', /./s, 'folder of journal, snapshots and history')),
    feed: flag(
      choice('none', ['simulated', 'none'], 'source of index prices and volatility surfaces'),
    ),
    maker: flag(choice('off', ['on', 'off'], 'built-in market maker')),
    gateways: flag(integer(defaultGateways(), [1, 16], 'gateway threads')),
    matchers: flag(integer(defaultMatchers(), [0, 8], 'matcher threads; 0: the core matches')),
    transport: flag(
      choice(
        'auto',
        transportWishes,
        'HTTP and WebSocket library; auto: native if it loads, otherwise node',
      ),
    ),
    durability: flag(
      choice(
        'flush',
        ['flush', 'memory'],
        'flush: every acknowledged action is on disk; memory: a crash may lose some',
      ),
    ),
    acceptLoss: flag(
      onOff(false, 'start although the journal lost durable batches; trading starts halted'),
    ),
    acceptLostFiles: flag(
      onOff(
        false,
        'start although rail.jsonl or the audit log lacks entries that the journal knows',
      ),
    ),
    takeMemory: onOff(true, 'reserve at the start the memory that fills over time'),
    idle: flag(choice('park', idleStrategies, 'idle strategy of threads without work')),
    pinning: shaped(
      'pinning',
      {} as Pinning,
      'CPU of each pinned thread; the kernel schedules the others',
    ),
    chainId: flag(integer(31_337, [1, Number.MAX_SAFE_INTEGER], 'chain id of the signing domain')),
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
        'open: anybody may read the data of a wallet; signed: it needs a read session of the wallet',
      ),
    ),
  }),
  under('native', {
    accepted: list(
      'SHA-256 in 64 hexadecimal digits',
      isSha256,
      'hashes of native binaries that may load although they are not pinned',
    ),
  }),
  under('signing', { enabled: onOff(true, 'accept signed writes') }),
  under('operator', {
    host: flag(text('127.0.0.1', 'address', hostPattern, 'address of the operator interface')),
    port: flag(integer(8081, port, 'port of the operator interface; 0: the system chooses one')),
    token: secret(
      flag(
        text(
          '',
          'text without spaces',
          /^[\x21-\x7e]*$/,
          'bearer token; empty: no operator routes',
        ),
      ),
    ),
    hosts: list(
      'host names',
      isHost,
      'accepted host names of the operator interface, in addition to loopback names',
    ),
    tokensFile: flag(
      text('', 'path', /^.*$/, 'file of identities with scopes and token hashes; empty: none'),
    ),
    secondApproval: onOff(false, 'require the approval of a second identity for money operations'),
    approvalSeconds: integer(
      3600,
      [10, 604_800, 's'],
      'time after which a request for approval expires',
    ),
    auditFileBytes: integer(
      64 * 1024 * 1024,
      [4096, 2 ** 30, 'bytes'],
      'size at which the audit log starts a new file',
    ),
  }),
  under('http', {
    trustedProxies: list(
      'addresses or networks such as 10.0.0.0/8',
      isNetwork,
      'proxies whose X-Forwarded-For header the venue trusts',
    ),
    connectionsMax: integer(
      16_384,
      some,
      'maximum number of connections, within the limit of open files',
    ),
    unfinishedBytesMax: integer(
      64 * mebibyte,
      unfinished,
      'maximum total size of unfinished bodies; unfinished frames may use half of it',
    ),
    unreadBytesMax: integer(
      64 * mebibyte,
      unfinished,
      'maximum total size of answers that clients have not read',
    ),
  }),
  under('tls', {
    certFile: text('', 'path', /^/, 'PEM certificate with its chain; empty: plain HTTP'),
    keyFile: text('', 'path', /^/, 'PEM key of the certificate'),
  }),
  under('limits', {
    failedRecoveriesPerMinute: integer(
      200,
      rate,
      'maximum failed or unfunded signatures per client address',
    ),
    connectionsPerAddressMax: integer(256, some, 'maximum connections per client address'),
    resumedMessagesPerMinute: integer(
      500_000,
      [resumedMessagesMax, rate[1], 'a minute'],
      'maximum messages of resumes, per client address or wallet with a read session',
    ),
    addressLimitsOnLoopback: onOff(true, 'apply the three limits above to loopback addresses'),
  }),
  under('faucet', {
    grantsPerMinute: integer(1, rate, 'grants per client address; only in the preset development'),
    grantsPerMinuteOnLoopback: integer(20, rate, 'grants per client on this machine'),
    accountsMax: integer(
      100_000,
      some,
      'number of accounts from which on the faucet opens no new ones',
    ),
  }),
  under('clock', {
    stepMillisMax: integer(
      2000,
      [100, 3_600_000, 'ms'],
      'deviation from the monotonic clock that counts as a clock step',
    ),
    downtimeHoursMax: number(
      72,
      [0.001, 87_600, 'hours'],
      'maximum lead of the clock over the journal at a start',
    ),
  }),
  engineTable,
  under('perp', {
    source: text(
      '',
      'up to 64 printable ASCII characters',
      /^[\x20-\x7e]{0,64}$/,
      'source in the signatures of perp actions; empty: service name and chain, as in Strikebook/31337',
    ),
    foreignSource: onOff(false, 'allow a perp.source that other exchanges use: a or b'),
  }),
  under('stream', {
    bookDepth: integer(100, [1, 1000], 'levels per side in a book message'),
    maxSubscriptions: integer(1024, some, 'maximum subscriptions per connection'),
    maxSymbolsPerFrame: integer(4096, some, 'maximum symbols per frame'),
    commandsInFlightMax: integer(64, some, 'maximum signed commands in flight per connection'),
    pingMillis: integer(20_000, pauseMillis, 'time between pings'),
    // Applies to clients without subscriptions.
    idleMillis: integer(
      300_000,
      [10, 86_400_000, 'ms'],
      'inactivity after which the venue closes a connection',
    ),
    pongTimeoutMillis: integer(60_000, pauseMillis, 'time to wait for a pong'),
    bookIntervalMillis: integer(10, spanMillis, 'minimum time between book messages of a symbol'),
    chainIntervalMillis: integer(250, spanMillis, 'minimum time between messages of a chain row'),
    indexIntervalMillis: integer(500, spanMillis, 'minimum time between index messages'),
    indexIdleIntervalMillis: integer(2000, spanMillis, 'maximum time between index messages'),
    queueMessages: integer(16_384, some, 'slow consumer: maximum queued messages'),
    queueBytes: integer(8 * mebibyte, [1, some[1], 'bytes'], 'slow consumer: maximum queued data'),
    queueAgeMillis: integer(5000, spanMillis, 'slow consumer: maximum age of a queued message'),
    writeTimeoutMillis: integer(
      5000,
      spanMillis,
      'slow consumer: maximum time for one socket write',
    ),
  }),
  under('quotes', {
    ttlMillis: integer(60_000, pauseMillis, 'lifetime of an indicative quote without a renewal'),
    authTimeoutMillis: integer(10_000, pauseMillis, 'time for the handshake of a quote provider'),
    connectMaxSkewMillis: integer(
      60_000,
      pauseMillis,
      'maximum deviation of a handshake timestamp from venue time',
    ),
    queueBytes: integer(64 * mebibyte, queued, 'maximum data queued for one quote provider'),
  }),
  under('push', {
    enabled: onOff(true, 'send browser notifications'),
    allowedHosts: {
      ...list('host names, or *.name', isPushHost, 'push services that the venue may call'),
      fallback: knownPushHosts,
    },
    allowPrivate: onOff(
      false,
      'allow push services on private and loopback addresses; development only',
    ),
    subject: text(
      'mailto:push@strikebook.invalid',
      'mailto: or https: address',
      /^(mailto:[\x21-\x7e]+@|https:\/\/)[\x21-\x7e]{1,200}$/,
      'contact address for push services',
    ),
    queueMax: integer(
      10_000,
      [1, 1_000_000],
      'maximum queued notifications; the venue drops the oldest',
    ),
    timeoutMillis: integer(
      10_000,
      [10, 600_000, 'ms'],
      'time limit for the answer of a push service',
    ),
    attemptsMax: integer(5, [1, 20], 'maximum attempts per notification'),
    retryMillis: integer(
      1000,
      [1, 600_000, 'ms'],
      'pause before the second attempt; it doubles each time',
    ),
    maxAgeSeconds: integer(600, [1, 86_400, 's'], 'age at which the venue drops a notification'),
    perHostMax: integer(8, [1, 1000], 'maximum concurrent requests to one push service'),
  }),
  under('competitions', {
    namesUrl: text(
      '',
      'http address with {wallet}',
      /^(https?:\/\/[\x21-\x7e]*\{wallet\}[\x21-\x7e]*)?$/,
      'URL for names on leaderboards; empty: none',
    ),
    namesTimeoutMillis: integer(3000, [10, 60_000, 'ms'], 'time limit of a name lookup'),
  }),
  under('push.vapid', {
    publicKey: text('', 'base64url of 65 bytes', /^([A-Za-z0-9_-]{87})?$/, 'public VAPID key'),
    privateKey: secret(
      text(
        '',
        'base64url of 32 bytes',
        /^([A-Za-z0-9_-]{43})?$/,
        'private VAPID key; empty: generated once',
      ),
    ),
  }),
  under('deprecation', {
    deprecation: header('true', 'header Deprecation in answers to orders without route'),
    sunset: header('Sat, 04 Jul 2026 00:00:00 GMT', 'header Sunset'),
    removalUnix: integer(1_783_123_200, [0, 2 ** 32 - 1, 's'], 'header X-Deprecation-Removal-Unix'),
    warning: header('299 - "route will become required; send route explicitly"', 'header Warning'),
  }),
  under('compat', {
    decimalStrings: onOff(false, 'send filled_size as decimal text'),
    unknownFields: choice('ignore', ['refuse', 'ignore'], 'handling of unknown fields in requests'),
  }),
  under('instruments', {
    minTradeAmount: number(
      1e-8,
      [1e-8, 100_000, 'contracts'],
      'minimum order size in instrument data',
    ),
  }),
  under('', {
    underlyings: shaped(
      'underlyings',
      underlyingsDefault,
      'per underlying: time of day of expiry, default 08:00; highest index, default 10 times the index at listing',
    ),
  }),
  under('withdrawals', {
    rail: choice(
      'none',
      ['simulated', 'none'],
      'payment rail of withdrawals; none: no withdrawals',
    ),
    outcomes: text(
      '',
      'address=result, separated by commas',
      /^(0x[0-9a-fA-F]{40}=[a-z_]+(,(?=0x)|$))*$/,
      'simulated rail: results of withdrawals to an address, to test failures',
    ),
    stepMillis: integer(250, [1, 3_600_000, 'ms'], 'simulated rail: time between two steps'),
  }),
  under('journal', {
    segmentBytes: integer(64 * mebibyte, [mebibyte, gibibyte, 'bytes'], 'size of a segment'),
    snapshotBatches: integer(
      20_000,
      [0, some[1]],
      'batches between two snapshots; 0: no snapshots by number of batches',
    ),
    snapshotSeconds: integer(
      30,
      [0, 86_400, 's'],
      'time between two snapshots while batches arrive; 0: no snapshots by time',
    ),
    archivedSnapshots: integer(
      64,
      [0, 1000],
      'older snapshots in journal/archive, sparser with age, for short replays',
    ),
    slowFlushMillis: integer(
      200,
      [1, 3_600_000, 'ms'],
      'duration from which the log reports a flush with its causes',
    ),
  }),
  under('invariants', {
    checkMillis: integer(
      1000,
      [0, 3_600_000, 'ms'],
      'time between two invariant checks; 0: no checks',
    ),
  }),
  under('history', {
    keepDays: integer(
      0,
      [0, 36_500, 'days'],
      'age at which the history store deletes final orders, fills, trades and directives; 0: never',
    ),
    queryThreads: integer(1, [1, 16], 'threads for history queries'),
    checkHours: integer(
      24,
      [0, 8760, 'hours'],
      'time between two checks of the history store; 0: no checks',
    ),
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
