import { idleStrategies } from '../../engine/memory/doorbell.js'
import { staleSurfaceNames } from '../../engine/pricing/pricing-parameters.js'
import {
  floorNettingNames,
  portfolioScenarios,
  standardScenarios,
} from '../../engine/pricing/scenarios.js'
import { estimatorNames } from '../../engine/state/settlement-parameters.js'
import {
  fundingPaymentsPerBatch,
  noncesKeptPerWallet,
  outcomesKeptPerWallet,
  remarkedPositionsPerBatch,
  remarkRowsPerBatch,
  settlementPayoutsPerBatch,
} from '../../schemas/bounds.js'
import { presetNames } from '../../schemas/domain.js'
import { parseAddress } from '../../schemas/wallet.js'
import { isNetwork } from '../limits/client-address.js'
import {
  type ConfigKey,
  choiceKey,
  integerKey,
  listKey,
  numberKey,
  shapedKey,
  shareKey,
  switchKey,
  textKey,
} from './config-key.js'
import { type Pinning, pinningAllowed, takePinning } from './pinning-rows.js'
import { scenariosAllowed, takeScenarios } from './scenario-rows.js'
import { defaultGateways, defaultMatchers } from './thread-counts.js'
import { takeUnderlyings, underlyingsAllowed, underlyingsDefault } from './underlying-rows.js'

const fractionOptions = { min: 0, max: 1 }
const factorOptions = { min: 0, max: 100 }
const shiftOptions = { min: 0, max: 0.9 }
const bpsOptions = { min: 0, max: 10_000 }
const millisOptions = { min: 0, max: 31_536_000_000 }
const portOptions = { min: 0, max: 65_535, hasFlag: true }
const flag = { hasFlag: true }

/**
 * Every key of the configuration. A key's path names it everywhere: `operator.port` in the TOML file is
 * `STRIKEBOOK_OPERATOR_PORT` in the environment and `--operator-port` (or `--set operator.port=...`) on the
 * command line. What differs between presets stands in presets.ts.
 */
export const configSchema = {
  preset: choiceKey('development', 'set of defaults', presetNames, flag),
  host: textKey('127.0.0.1', 'public HTTP and WebSocket address', 'address', isHost, flag),
  port: integerKey(8080, 'public port; 0: chosen by the system', portOptions),
  dataDir: textKey('./data', 'journal, snapshots, history', 'path', isText, flag),
  feed: choiceKey('none', 'source of index and surfaces', ['simulated', 'none'], flag),
  maker: choiceKey('off', 'paper market maker', ['on', 'off'], flag),
  gateways: integerKey(defaultGateways(), 'gateway threads', { min: 1, max: 16, hasFlag: true }),
  matchers: integerKey(defaultMatchers(), 'matcher threads; 0: in the core', {
    min: 0,
    max: 8,
    hasFlag: true,
  }),
  durability: choiceKey(
    'flush',
    'whether an acknowledged action is on disk',
    ['flush', 'memory'],
    flag,
  ),
  acceptLoss: switchKey(
    false,
    'start although the journal has lost what was durable; trading is halted',
    flag,
  ),
  takeMemory: switchKey(true, 'memory that fills up by and by is taken at the start'),
  idle: choiceKey('park', 'what a thread without work does', idleStrategies, flag),
  pinning: shapedKey<Pinning>(
    {},
    'core that a thread is pinned to; the others run where the kernel puts them',
    pinningAllowed,
    takePinning,
  ),
  chainId: integerKey(31_337, 'chain of the signing domain', {
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    hasFlag: true,
  }),
  service: {
    name: textKey(
      'Strikebook',
      'name of the signing domain',
      '1 to 64 printable characters',
      isName,
      flag,
    ),
  },
  signing: {
    enabled: switchKey(true, 'whether signed writes are taken'),
  },
  operator: {
    host: textKey('127.0.0.1', 'address of the operator interface', 'address', isHost, flag),
    port: integerKey(8081, 'port of the operator interface; 0: chosen by the system', portOptions),
    token: textKey('', 'bearer token; none: no operator routes', 'text without spaces', isToken, {
      hasFlag: true,
      isSecret: true,
    }),
    signers: listKey([], 'addresses that may sign SetUserTier', 'addresses', isAddress),
    hosts: listKey([], 'names it is asked by, beside those of loopback', 'host names', isHost),
  },
  http: {
    trustedProxies: listKey(
      [],
      'proxies whose X-Forwarded-For is believed',
      'addresses or networks such as 10.0.0.0/8',
      isNetwork,
    ),
    connectionsMax: limitKey(16_384, 'connections in all, if the limit of open files allows'),
    unfinishedBytesMax: integerKey(64 * 1024 * 1024, 'bytes of bodies that are still coming', {
      min: 8 * 1024 * 1024,
      max: 1024 * 1024 * 1024,
    }),
  },
  tls: {
    certFile: textKey('', 'PEM certificate with its chain; none: plain HTTP', 'path', isAnyText),
    keyFile: textKey('', 'PEM key of it', 'path', isAnyText),
  },
  limits: {
    default: tierKeys(60, 120, 600, 100, 50),
    tier1: tierKeys(30, 60, 300, 50, 20),
    tier2: tierKeys(120, 300, 1200, 500, 200),
    market_maker: tierKeys(600, 1200, 6000, 2000, -1),
    failedRecoveriesPerMinute: limitKey(200, 'failed or unfunded signatures per client address'),
    connectionsPerAddressMax: limitKey(256, 'connections per client address'),
    addressLimitsOnLoopback: switchKey(true, 'whether the two limits above hold on loopback'),
    outcomesKept: integerKey(outcomesKeptPerWallet, 'outcomes kept for repeats, per wallet', {
      min: 1000,
      max: 1 << 20,
    }),
    noncesKept: integerKey(noncesKeptPerWallet, 'burned nonces kept exactly per wallet', {
      min: 1000,
      max: 1 << 20,
    }),
  },
  clock: {
    stepMillisMax: integerKey(2000, 'difference from steady time at which the clock was stepped', {
      min: 100,
      max: 3_600_000,
    }),
    downtimeHoursMax: numberKey(72, 'start: most that the clock may be ahead of the journal', {
      min: 0.001,
      max: 87_600,
    }),
  },
  pricing: {
    remarkMillis: integerKey(1000, 'most time between re-marks', { min: 10, max: 1000 }),
    remarkRows: integerKey(remarkRowsPerBatch, 'instruments that one engine step re-marks', {
      min: 1,
      max: 100_000,
    }),
    remarkedPositions: integerKey(
      remarkedPositionsPerBatch,
      'positions that one engine step checks behind a re-mark',
      { min: 1, max: 1_000_000 },
    ),
    rate: numberKey(0, 'interest rate per year', { min: -1, max: 1 }),
    indexMaxAgeMillis: integerKey(60_000, 'age of a usable index; 0: no limit', millisOptions),
    surfaceMaxAgeMillis: integerKey(300_000, 'age of a usable surface; 0: no limit', millisOptions),
    staleSurface: choiceKey('refuse', 'what an old surface is good for', staleSurfaceNames),
    settlementBlend: switchKey(false, 'marks that know the settlement window'),
  },
  mmp: {
    countTakerFills: switchKey(false, 'fills of protected orders as taker count too'),
  },
  settlement: {
    windowSeconds: integerKey(1800, 'averaging window before expiry', { min: 1, max: 86_400 }),
    estimator: choiceKey('twap', 'what makes a price of the samples', estimatorNames),
    maxCarryMillis: integerKey(60_000, 'age of a usable observation; 0: no limit', millisOptions),
    minValidShare: numberKey(0.9, 'share of the samples that a price needs', fractionOptions),
    trimShare: numberKey(0.05, 'share of the samples dropped at each end', { min: 0, max: 0.45 }),
    payoutsPerBatch: integerKey(settlementPayoutsPerBatch, 'positions that one engine step pays', {
      min: 1,
      max: 100_000,
    }),
  },
  fees: {
    makerRate: shareKey(
      0,
      'of the index, per option traded, whose order rested; below 0: a rebate',
      {
        min: -0.1,
        max: 0.1,
      },
    ),
    takerRate: shareKey(
      0,
      'of the index, per option traded, whose order came in; below 0: a rebate',
      {
        min: -0.1,
        max: 0.1,
      },
    ),
    optionCap: shareKey(0.125, 'most of a fee above, as a share of the price', fractionOptions),
    perpMakerRate: shareKey(0, 'of the price, per perp traded, likewise', { min: -0.1, max: 0.1 }),
    perpTakerRate: shareKey(0, 'of the price, per perp traded, likewise', { min: -0.1, max: 0.1 }),
    builderShare: shareKey(
      0,
      'part of the fees above for the builder; 0: builders are not enabled',
      {
        min: 0,
        max: 1,
      },
    ),
    builders: listKey([], 'addresses that earn as builders', 'addresses', isAddress),
    liquidation: numberKey(0, 'of the index, per contract taken, to the insurance fund', {
      min: 0,
      max: 1,
    }),
    settlement: numberKey(0, 'settlement fee per settlement price', { min: 0, max: 0.1 }),
    settlementCap: shareKey(0.125, 'most of it, as a share of the payoff', fractionOptions),
  },
  risk: {
    model: choiceKey('standard', 'what margin mode `standard` means', ['standard', 'defined_risk']),
    portfolioEnabled: switchKey(false, 'whether margin mode `portfolio` is available'),
    standard: {
      scenarios: shapedKey(
        standardScenarios,
        'scenario rows of the standard model',
        scenariosAllowed,
        takeScenarios,
      ),
      imFactor: numberKey(1, 'initial margin per scanned loss', factorOptions),
      mmFactor: numberKey(0.8, 'maintenance margin per scanned loss', factorOptions),
      shortMinimumIm: numberKey(0.1, 'initial minimum of an uncovered short', fractionOptions),
      shortMinimumMm: numberKey(
        0.075,
        'maintenance minimum of an uncovered short',
        fractionOptions,
      ),
    },
    volFloor: numberKey(0.01, 'lowest shocked volatility', fractionOptions),
    zClip: numberKey(3, 'bound of the standardised moneyness', { min: 0.1, max: 10 }),
    portfolio: {
      scenarios: shapedKey(
        portfolioScenarios,
        'scenario rows of the portfolio model',
        scenariosAllowed,
        takeScenarios,
      ),
      mmRatio: numberKey(0.8, 'maintenance per initial margin', fractionOptions),
      optionFloorFactor: numberKey(0.015, 'option floor per short notional', fractionOptions),
      gammaOverlayFactor: numberKey(0.01, 'overlay per short notional', fractionOptions),
      overlayHours: numberKey(48, 'hours to expiry of the overlay', { min: 0, max: 8760 }),
      floorNetting: choiceKey('instrument', 'what the option floor nets', floorNettingNames),
    },
    perp: {
      initialFraction: numberKey(0.1, 'initial margin per notional', fractionOptions),
      maintenanceFraction: numberKey(0.05, 'maintenance margin per notional', fractionOptions),
    },
  },
  perp: {
    source: textKey(
      '',
      'source in the signatures of perp actions; none: service name and chain, as in Strikebook/31337',
      'up to 64 printable ASCII characters',
      (text) => /^[\x20-\x7e]{0,64}$/.test(text),
    ),
    foreignSource: switchKey(
      false,
      'whether the source may be one that other exchanges use: a or b',
    ),
    funding: {
      enabled: switchKey(false, 'whether longs and shorts of perps pay each other'),
      capRate: shareKey(0.0005, 'most of it per period, as a share of the index', {
        min: 0,
        max: 0.1,
      }),
      sampleSeconds: integerKey(60, 'between looks at the book', { min: 1, max: 3600 }),
      periodSeconds: integerKey(3600, 'between payments', { min: 1, max: 86_400 }),
      paymentsPerBatch: integerKey(fundingPaymentsPerBatch, 'wallets that one engine step pays', {
        min: 1,
        max: 10_000,
      }),
      impactNotional: numberKey(10_000, 'USD bought and sold in thought for the price of a book', {
        min: 1,
        max: 1_000_000_000,
      }),
    },
  },
  bands: {
    enabled: switchKey(false, 'whether orders far from the mark are refused'),
    spotShift: numberKey(0.05, 'move of the index that limits are priced at', shiftOptions),
    volShift: numberKey(0.05, 'move of the volatility that limits are priced at', shiftOptions),
    ticks: integerKey(2, 'room beyond these prices, in ticks of 0.0001', {
      min: 0,
      max: 1_000_000,
    }),
    minHalfWidth: numberKey(0.0005, 'least distance from the mark, per index', fractionOptions),
    reducingFactor: numberKey(2, 'times the distance for orders that reduce risk', {
      min: 1,
      max: 100,
    }),
  },
  liquidation: {
    graceSeconds: secondsKey(60, 'time to recover before the engine takes over'),
    recoverRatio: ratioKey(1.05, 'equity over maintenance margin that ends the grace period'),
    partialSeconds: secondsKey(120, 'partial phase'),
    targetRatio: ratioKey(1.1, 'equity over maintenance margin that the partial phase works for'),
    bonusBps: {
      start: integerKey(50, 'first orders: given away on the mark', bpsOptions),
      max: integerKey(500, 'the most of it', bpsOptions),
    },
    bonusStepBps: integerKey(25, 'added at each reprice', bpsOptions),
    repriceSeconds: integerKey(5, 'between reprices', { min: 1, max: 3600 }),
    auction: {
      start: numberKey(0.95, 'first price, as a share of the worth', fractionOptions),
      fastEnd: numberKey(0.7, 'price after the fast part', fractionOptions),
      fastSeconds: secondsKey(900, 'fast part'),
      slowSeconds: integerKey(43_200, 'slow part, down to 0', { min: 1, max: 31_536_000 }),
      buffer: ratioKey(1.15, 'equity over maintenance margin that ends the auction'),
      insolventSeconds: integerKey(3600, 'until an insolvent account is offered with all', {
        min: 1,
        max: 31_536_000,
      }),
    },
    maxAuctionSeconds: secondsKey(44_100, 'auction without a bid, then auto-deleveraging'),
    valuationSeconds: integerKey(5, 'age of the terms of a bid', { min: 1, max: 3600 }),
  },
  stream: {
    bookDepth: integerKey(100, 'levels per side of a book message', { min: 1, max: 1000 }),
    maxSubscriptions: limitKey(1024, 'subscriptions per connection'),
    maxSymbolsPerFrame: limitKey(4096, 'symbols per frame'),
    commandsInFlightMax: limitKey(64, 'signed commands under way per connection'),
    pingMillis: integerKey(20_000, 'time between pings', { min: 10, max: 3_600_000 }),
    idleMillis: integerKey(
      300_000,
      'silence of a client without subscriptions that ends its connection',
      { min: 10, max: 86_400_000 },
    ),
    pongTimeoutMillis: integerKey(60_000, 'time until a pong is missed', {
      min: 10,
      max: 3_600_000,
    }),
    bookIntervalMillis: integerKey(10, 'least time between books of a symbol', millisOptions),
    chainIntervalMillis: integerKey(
      250,
      'least time between messages of a chain row',
      millisOptions,
    ),
    indexIntervalMillis: integerKey(500, 'least time between index messages', millisOptions),
    indexIdleIntervalMillis: integerKey(2000, 'most time between index messages', millisOptions),
    queueMessages: limitKey(16_384, 'slow consumer: messages queued'),
    queueBytes: limitKey(8 * 1024 * 1024, 'slow consumer: bytes queued'),
    queueAgeMillis: integerKey(5000, 'slow consumer: age of a queued message', millisOptions),
    writeTimeoutMillis: integerKey(5000, 'slow consumer: one socket write', millisOptions),
  },
  deprecation: {
    deprecation: headerKey('true', 'header Deprecation of an order without route'),
    sunset: headerKey('Sat, 04 Jul 2026 00:00:00 GMT', 'header Sunset'),
    removalUnix: integerKey(1_783_123_200, 'header X-Deprecation-Removal-Unix', {
      min: 0,
      max: 4_294_967_295,
    }),
    warning: headerKey(
      '299 - "route will become required; send route explicitly"',
      'header Warning',
    ),
  },
  compat: {
    decimalStrings: switchKey(false, 'filled_size as decimal text'),
    unknownFields: choiceKey('ignore', 'what becomes of fields that a request does not know', [
      'refuse',
      'ignore',
    ]),
  },
  instruments: {
    minTradeAmount: numberKey(0.000_000_01, 'least size shown to clients', {
      min: 0.000_000_01,
      max: 100_000,
    }),
  },
  underlyings: shapedKey(
    underlyingsDefault,
    'per underlying: time of day of expiry, else 08:00; highest index, else 10 times that at its listing',
    underlyingsAllowed,
    takeUnderlyings,
  ),
  journal: {
    segmentBytes: integerKey(64 * 1024 * 1024, 'length of a journal segment', {
      min: 1024 * 1024,
      max: 1024 * 1024 * 1024,
    }),
    slowFlushMillis: integerKey(200, 'a flush that takes longer is logged with its causes', {
      min: 1,
      max: 3_600_000,
    }),
  },
  history: {
    keepDays: integerKey(0, 'days of finished orders, fills, trades; 0: all', {
      min: 0,
      max: 36_500,
    }),
    queryThreads: integerKey(1, 'threads of history queries', { min: 1, max: 16 }),
    checkHours: integerKey(24, 'hours between checks of the store; 0: none', { min: 0, max: 8760 }),
  },
} as const

/** The configuration: plain data, for `structuredClone` and worker threads. */
export type Config = Resolved<typeof configSchema>

/** Limits of one tier. */
export type TierLimits = Config['limits']['default']

type Resolved<Schema> = {
  readonly [Name in keyof Schema]: Schema[Name] extends ConfigKey<infer Value>
    ? Value
    : Resolved<Schema[Name]>
}

/** Every key with its path, in the order of the schema. */
export const configKeys: ReadonlyMap<string, ConfigKey<unknown>> = new Map(keysOf(configSchema, ''))

/** Whether a node of the schema, or of a tree of values beside it, is a key. */
export function isConfigKey(node: unknown): node is ConfigKey<unknown> {
  return typeof node === 'object' && node !== null && 'isKey' in node
}

// Function declarations, because the schema above is built while this file loads.

function tierKeys(orders: number, cancels: number, requests: number, open: number, held: number) {
  return {
    ordersPerMinute: limitKey(orders, 'order placements in 60 s'),
    cancelsPerMinute: limitKey(cancels, 'order cancellations in 60 s'),
    apiRequestsPerMinute: limitKey(requests, 'other counted requests in 60 s'),
    openOrdersMax: limitKey(open, 'working orders'),
    positionsMax: integerKey(held, 'positions; -1: unlimited', { min: -1, max: 1_000_000_000 }),
  }
}

function secondsKey(fallback: number, about: string): ConfigKey<number> {
  return integerKey(fallback, `${about}, seconds`, { min: 0, max: 31_536_000 })
}

function ratioKey(fallback: number, about: string): ConfigKey<number> {
  return numberKey(fallback, about, { min: 1, max: 10 })
}

function limitKey(fallback: number, about: string): ConfigKey<number> {
  return integerKey(fallback, about, { min: 1, max: 1_000_000_000 })
}

function headerKey(fallback: string, about: string): ConfigKey<string> {
  return textKey(fallback, about, 'printable ASCII', (text) => /^[\x20-\x7e]{1,256}$/.test(text))
}

function keysOf(node: object, prefix: string): [string, ConfigKey<unknown>][] {
  return Object.entries(node).flatMap(([name, child]): [string, ConfigKey<unknown>][] =>
    isConfigKey(child) ? [[prefix + name, child]] : keysOf(child as object, `${prefix + name}.`),
  )
}

function isHost(text: string): boolean {
  return /^[A-Za-z0-9.:_-]{1,253}$/.test(text)
}

function isText(text: string): boolean {
  return text.length > 0
}

function isAnyText(): boolean {
  return true
}

function isName(text: string): boolean {
  return /^[\x20-\x7e]{1,64}$/.test(text)
}

function isToken(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text)
}

function isAddress(text: string): boolean {
  return parseAddress(text) !== null
}
