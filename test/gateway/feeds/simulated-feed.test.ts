import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory } from '../../../bench/event-script.js'
import { followEvents } from '../../../bench/follow-events.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { logReaders } from '../../../engine/memory/exchange-memory.js'
import { checkSurface } from '../../../engine/pricing/surface.js'
import { FeedDriver } from '../../../gateway/feeds/feed-driver.js'
import { SimulatedFeed } from '../../../gateway/feeds/simulated-feed.js'
import {
  nextIndexMicros,
  simulatedUnderlyings,
  surfaceValues,
} from '../../../gateway/feeds/simulated-market.js'
import type { OperatorCommand } from '../../../gateway/operator/operator-commands.js'
import { neverMillis, Right, TradingMode } from '../../../schemas/domain.js'
import {
  AnyCommand,
  CommandType,
  ListInstrumentCommand,
} from '../../../schemas/generated/commands.js'
import { InstrumentChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { OneRecord } from '../../support/one-record.js'

const startMillis = Date.UTC(2026, 10, 21, 12)
const dayMillis = 86_400_000

function createFeed(seed: number): SimulatedFeed {
  return new SimulatedFeed({ seed, underlyings: {} })
}

function written(command: OperatorCommand): AnyCommand {
  const sink = new OneRecord()
  assert.ok(command(sink))
  return new AnyCommand().over(sink.views, 0)
}

function typeOf(command: OperatorCommand): number {
  return written(command).recordType
}

function bytesOf(command: OperatorCommand): string {
  const { u8, recordBytes } = written(command)
  return Buffer.from(u8.slice(0, recordBytes)).toString('hex')
}

/** The underlying, if the command lists its perp: on the book only, and for ever. */
function perpOfListing(command: OperatorCommand): readonly string[] {
  if (typeOf(command) !== CommandType.ListInstrument) return []
  const { key, expiryMillis, tradingMode } = new ListInstrumentCommand().of(written(command))
  if (key.right !== Right.None) return []
  assert.deepEqual([expiryMillis, tradingMode], [neverMillis, TradingMode.Orderbook])
  return [key.underlyingText]
}

function runFeed(seed: number, steps: number): readonly string[] {
  const feed = createFeed(seed)
  return Array.from({ length: steps }, (_, i) => feed.step(startMillis + i * 1000))
    .flat()
    .map(bytesOf)
}

function countsOf(commands: readonly OperatorCommand[]): readonly number[] {
  const types = commands.map(typeOf)
  const count = (wanted: number) => types.filter((type) => type === wanted).length
  return [CommandType.IndexPrices, CommandType.ListInstrument, CommandType.VolSurface].map(count)
}

test('the same seed and times give the same commands, and another seed gives others', () => {
  assert.deepEqual(runFeed(7, 50), runFeed(7, 50))
  assert.notDeepEqual(runFeed(7, 50), runFeed(8, 50))
})

test('the first step sets prices, listings and surfaces of the whole market, and the second moves the index', () => {
  const feed = createFeed(1)
  const first = feed.step(startMillis)
  assert.deepEqual(countsOf(first), [1, 4 * (4 * 26 + 1), 16])
  assert.equal(typeOf(first[0]!), CommandType.IndexPrices, 'an index before anything that needs it')
  assert.deepEqual(countsOf(feed.step(startMillis + 1000)), [1, 0, 0])
  assert.deepEqual(countsOf(feed.step(startMillis + 30_000)), [1, 0, 16])
})

test('an expired expiry is followed by a new one with a surface of its own', () => {
  const feed = createFeed(1)
  feed.step(startMillis)
  const [, listings, surfaces] = countsOf(feed.step(startMillis + 2 * dayMillis))
  assert.deepEqual([listings, surfaces], [4 * 26, 16])
})

test('each underlying gets one perp, once', () => {
  const feed = createFeed(1)
  const commands = [0, 1000, 2 * dayMillis].flatMap((millis) => feed.step(startMillis + millis))
  assert.deepEqual(commands.flatMap(perpOfListing), ['BTC', 'ETH', 'SP500', 'NVDA'])
})

test('a perp that an earlier process listed is not listed again', () => {
  const memory = smallMemory()
  const script = new EventScript(memory, startMillis)
  const { Bootstrap } = InstrumentChange
  script.instrument(0, 'ETH-PERP', 0, neverMillis, Bootstrap)
  script.instrument(1, 'BTC-20270625-100000-C', 1, startMillis + 200 * dayMillis, Bootstrap)
  script.commit()
  const log = new EventLogReader(memory.eventLog, logReaders.readModel)
  const feed = createFeed(1)
  followEvents(log, (event) => feed.onBootstrap(event))
  assert.deepEqual(feed.step(startMillis).flatMap(perpOfListing), ['BTC', 'SP500', 'NVDA'])
})

test('every surface passes the guards of the engine, over a year of walking', () => {
  for (const underlying of simulatedUnderlyings) {
    for (const days of [0, 0.01, 2, 91]) {
      for (const share of [0.2, 1, 5]) {
        const index = underlying.startMicros * share
        const values = surfaceValues(underlying, index, underlying.iv, days * dayMillis)
        const guard = checkSurface(underlying.surface, values)
        assert.equal(guard, null, `${underlying.name} ${days} days, index times ${share}`)
      }
    }
  }
})

test('the at-the-money volatility of an svi surface is the requested one', () => {
  const [btc] = simulatedUnderlyings
  const [a, b, rho, m, s] = surfaceValues(btc!, 1e11, 0.55, 30 * dayMillis)
  const variance = a! + b! * (rho! * (0 - m!) + Math.hypot(m!, s!))
  assert.ok(Math.abs(Math.sqrt(variance / (30 / 365)) - 0.55) < 1e-12)
})

test('the walk stays on its grid, above zero, and does not jump after a long pause', () => {
  const [btc] = simulatedUnderlyings
  assert.equal(nextIndexMicros(btc!, 1e11, 1000, 0), 1e11)
  assert.equal(nextIndexMicros(btc!, 1e11, 1000, 1.234) % 10_000, 0)
  assert.equal(nextIndexMicros(btc!, 10_000, 1000, -1e9), 10_000)
  assert.equal(nextIndexMicros(btc!, 1e11, 3_600_000, 1), nextIndexMicros(btc!, 1e11, 10_000, 1))
})

test('the driver keeps the order of a step and reports failed commands', async () => {
  const types: number[] = []
  const refused: Result[] = []
  const driver = new FeedDriver({
    feed: createFeed(1),
    sender: {
      sendTogether: async (commands) =>
        commands.map((command) => {
          const type = typeOf(command)
          types.push(type)
          const result = type === CommandType.VolSurface ? Result.InvalidField : Result.Accepted
          const nothing = { seq: 1, timeMillis: 1, changed: true, instrument: -1, state: 0 }
          return { ...nothing, result, competitionId: 0, wallet: '', details: {} }
        }),
    },
    onRefused: (result) => refused.push(result),
    nowMillis: () => startMillis,
  })
  await driver.start()
  driver.stop()
  assert.equal(types.length, 1 + 420 + 16)
  assert.equal(types[0], CommandType.IndexPrices)
  assert.ok(types.lastIndexOf(CommandType.ListInstrument) < types.indexOf(CommandType.VolSurface))
  assert.equal(refused.length, 16)
})
