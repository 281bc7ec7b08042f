import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readBuildInfo } from './build-info.js'
import { resolveConfig } from './config/config.js'
import type { Config } from './config/config-schema.js'
import { operatorToken } from './operator/token-file.js'
import { startVenue as startAnyVenue, type Venue } from './venue.js'
import type { VenueClock, VenueStanding } from './venue-clock.js'

// Entry of `strikebook/testing` for programs outside of this package: a venue inside of their process, for tests of trading
// clients. Inside the package import `venue.ts`.

export type { VenueStanding } from './venue-clock.js'

/** Options of a venue under test. All have defaults. */
export interface TestVenueOptions {
  /** `virtual`, the default: time passes only by `advance`. `machine`: the time of the machine. */
  readonly clock?: 'virtual' | 'machine'
  /** Start of virtual time, milliseconds since 1970; default 2026-01-01T00:00:00Z. */
  readonly startMillis?: number
  /**
   * Maximum virtual time between two checks of marks and margins, and between two prices of the simulated market. Each
   * price re-marks all instruments. Default: one minute, or 1/168 of an advance that is longer than 168 minutes, but at
   * most the age at which `pricing.indexMaxAgeMillis` and `settlement.maxCarryMillis` still accept a price. Expiries,
   * funding and deadlines always happen at their own times.
   */
  readonly stepMillis?: number
  /** Configuration by path, as in `--set`: `{ feed: 'simulated', 'risk.model': 'standard' }`. */
  readonly config?: Readonly<Record<string, string | number | boolean>>
  /** Journal and history; default a temporary folder, which `stop` removes. */
  readonly dataDir?: string
  /** Receives each line of the log (JSON); default: none. */
  readonly onLog?: (line: string) => void
}

/** Venue on free ports of loopback. Clients use it by HTTP and WebSocket, like any other. */
export interface TestVenue {
  readonly url: string
  readonly operatorUrl: string
  /** Bearer token of the operator interface. */
  readonly operatorToken: string
  /** Engine time, milliseconds since 1970. */
  now(): number
  /**
   * Lets virtual time pass: `'7d'`, `'12h'`, `'30m'`, `'5s'`, `'250ms'`, or milliseconds. Resolves after everything that
   * fell due has happened, at its own time, and can be read. `0` waits for everything that is due now.
   * @throws Error if the venue uses the time of the machine or has failed; RangeError for an invalid duration.
   */
  advance(duration: string | number): Promise<VenueStanding>
  /** Stops the venue gracefully, and removes its temporary folder. */
  stop(): Promise<void>
}

const startMillisDefault = Date.UTC(2026, 0, 1)
const stepMillisDefault = 60_000
/** Number of steps of a long advance: a week in hours. */
const stepsMost = 168
/** Small configuration: one gateway, the matcher in the core's thread, no other services, no memory reserved in advance. */
const configDefault = {
  ...{ preset: 'development', port: 0, 'operator.port': 0, gateways: 1, matchers: 0 },
  ...{ feed: 'none', maker: 'off', durability: 'memory', takeMemory: false },
  'history.checkHours': 0,
  'invariants.checkMillis': 0,
  ...{ 'journal.snapshotBatches': 0, 'journal.snapshotSeconds': 0 },
}
const unitMillis: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 },
}
const durationPattern = /^(\d+)(ms|s|m|h|d)$/

/**
 * Starts a venue inside of this process. Two runs of a script that awaits each answer before the next request see the same
 * events with the same times, and end in the same state. Only values that the script makes itself may differ, such as
 * keys and nonces (`createNonceSource(venue.now)`).
 * @throws ConfigError that names every mistake in `config`; Error if the venue cannot start.
 * @example
 * const venue = await startVenue({ config: { feed: 'simulated' } })
 * await venue.advance('7d')
 * await venue.stop()
 */
export async function startVenue(options: TestVenueOptions = {}): Promise<TestVenue> {
  const { clock = 'virtual', startMillis = startMillisDefault } = options
  const isTemporary = options.dataDir === undefined
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'strikebook-venue-'))
  const clear = () => isTemporary && rmSync(dataDir, { recursive: true, force: true })
  try {
    const values = Object.entries({ ...configDefault, ...options.config, dataDir })
    const flags = new Map(values.map(([path, value]) => [path, String(value)]))
    const { config } = resolveConfig({ flags, environment: {} })
    const isVirtual = clock === 'virtual'
    if (isVirtual && config.maker === 'on') {
      throw new Error('maker: the paper market maker needs the time of the machine')
    }
    const virtualTime = { startMillis, stepMillis: options.stepMillis ?? stepMillisDefault }
    const venue = await startAnyVenue({
      config,
      build: readBuildInfo(import.meta.filename),
      log: logOf(options),
      stopping: new AbortController().signal,
      ...(isVirtual ? { virtualTime } : {}),
      onFailure: () => {}, // the log says so, and a pending `advance` fails
    })
    const stepOf = (millis: number) => options.stepMillis ?? stepMillisOf(millis, config)
    return testVenue(venue, { token: operatorToken(config), stepOf, clear })
  } catch (error) {
    clear()
    throw error
  }
}

interface TestParts {
  readonly token: string
  /** Returns the interval between prices in an advance, milliseconds. */
  readonly stepOf: (millis: number) => number
  readonly clear: () => void
}

function testVenue(venue: Venue, { token, stepOf, clear }: TestParts): TestVenue {
  const { url, operatorUrl, clock } = venue
  let stopped: Promise<void> | undefined
  return {
    ...{ url, operatorUrl, operatorToken: token },
    now: () => clock?.nowMillis ?? Date.now(),
    advance: async (duration) => {
      const millis = millisOf(duration)
      return passing(clock).advance(millis, stepOf(millis))
    },
    stop: () => {
      clock?.stop()
      stopped ??= venue.stop().then(clear)
      return stopped
    },
  }
}

/** Returns a step in which no price becomes too old before the next one arrives. */
function stepMillisOf(millis: number, { pricing, settlement }: Config): number {
  const limits = [pricing.indexMaxAgeMillis, settlement.maxCarryMillis].filter((age) => age > 0)
  const stepMillis = Math.max(stepMillisDefault, Math.ceil(millis / stepsMost))
  return Math.min(stepMillis, ...limits)
}

function passing(clock: VenueClock | null): VenueClock {
  if (clock === null)
    throw new Error('the venue uses the time of the machine: start it with { clock: "virtual" }')
  return clock
}

/** @throws RangeError */
function millisOf(duration: string | number): number {
  if (typeof duration === 'number') return duration
  const parts = durationPattern.exec(duration)
  if (parts === null) throw new RangeError(`duration ${duration}: write 7d, 12h, 30m, 5s or 250ms`)
  return Number(parts[1]) * unitMillis[parts[2]!]!
}

function logOf({ onLog }: TestVenueOptions) {
  return onLog === undefined ? pino({ enabled: false }) : pino({}, { write: onLog })
}
