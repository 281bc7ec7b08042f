import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineClock } from '../../../engine/core/engine-clock.js'
import { StateReader, StateWriter } from '../../../engine/memory/state-codec.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../engine/state/market/engine-config.js'
import { isPriced } from '../../../engine/state/market/settlement-table.js'
import { loadState, saveState } from '../../../engine/state/snapshot/state-snapshot.js'
import { ClockAlarm, ClockChoice, HaltMode, InstrumentState } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { EventType } from '../../../schemas/generated/events.js'
import { Result } from '../../../schemas/results.js'
import { replayCore } from '../../simulation/run/replay-core.js'
import { CoreRig } from '../../support/core-rig.js'

const second = 1000
const hour = 3600 * second
const day = 24 * hour
const bounds = { stepMillisMax: 2 * second, downtimeMillisMax: 72 * hour }
const expiryMillis = Date.UTC(2026, 0, 31, 0)

/** A core whose time comes from a machine with two clocks. */
class ClockRig {
  readonly rig: CoreRig
  readonly machine: { wall: number; steady: number }
  clock: EngineClock
  /** Engine time at each look. */
  readonly times: number[] = []

  constructor(config: EngineConfig = engineConfigDefault) {
    this.rig = new CoreRig(config)
    this.machine = { wall: this.rig.nowMillis, steady: 5.3 }
    this.clock = this.#newClock()
    this.clock.start()
    this.rig.openMarket()
  }

  /** Engine time; batches that have nothing to do are left out. */
  get now(): number {
    return this.times.at(-1) ?? this.rig.state.nowMillis
  }

  get alarm(): ClockAlarm {
    return this.rig.state.clock.alarm
  }

  /**
   * Ends the process, and starts another with its journal.
   * @param meanwhile requests that arrive before the core has applied the first reading of the clock.
   */
  restart(downMillis: number, meanwhile: () => void = () => {}): void {
    this.machine.wall += downMillis
    this.machine.steady = 9.7
    this.clock = this.#newClock()
    const millis = this.clock.start()
    meanwhile()
    this.#run(millis)
  }

  /** Advances both clocks by small steps. */
  pass(millis: number): this {
    const end = this.machine.steady + millis
    while (this.machine.steady < end) {
      const passed = Math.min(100, end - this.machine.steady)
      this.machine.wall += passed
      this.machine.steady += passed
      this.look()
    }
    return this
  }

  step(millis: number): this {
    this.machine.wall += millis
    return this.look()
  }

  look(): this {
    this.#run(this.clock.read())
    return this
  }

  accept(choice: ClockChoice): void {
    this.rig.acceptClock(choice, this.machine.wall)
    this.look()
    this.look()
  }

  /** Result of an order that would otherwise rest. */
  order(): number {
    this.rig.place({ wallet: 1, side: 'Buy', price: '100', size: '0.1' })
    this.look()
    const answers = this.rig.events().filter(({ type }) => type === EventType.Outcome)
    return answers.at(-1)!.fields['result']!
  }

  #run(millis: number): void {
    this.rig.nowMillis = millis
    while (this.rig.step());
    assert.ok(millis >= this.now, 'engine time goes back')
    assert.ok(Number.isInteger(millis), `${millis}`)
    this.times.push(millis)
  }

  #newClock(): EngineClock {
    const { machine, rig } = this
    const source = { wallMillis: () => machine.wall, steadyMillis: () => machine.steady }
    return new EngineClock(rig.state, rig.commands, source, bounds)
  }
}

test('the engine follows steps within the bound, and never goes back', () => {
  const each = new ClockRig().pass(second)
  const before = each.now
  each.step(1500).pass(100)
  assert.equal(each.now - before, 1600)
  each.step(-1500).pass(100)
  assert.equal(each.now - before, 1600, 'it waits for the clock')
  each.pass(3 * second)
  assert.equal(each.now, each.machine.wall)
  assert.equal(each.alarm, ClockAlarm.None)
})

test('ten days forward for a second expire nothing, and halt everything except cancels', () => {
  const each = new ClockRig().pass(second)
  const { rig } = each
  assert.equal(each.order(), Result.Accepted)
  const before = each.now
  each.step(40 * day).pass(second)
  assert.equal(each.alarm, ClockAlarm.Raised)
  assert.equal(each.now - before, second, 'time goes on')
  assert.equal(rig.state.instruments.state[0], InstrumentState.Active)
  assert.equal(each.order(), Result.TradingHalted)
  const halts = rig.state.haltModeOf(0)
  assert.equal(halts, HaltMode.Halted)
  assert.equal(rig.state.haltModes[0], HaltMode.Open, 'the operator has halted nothing')
  rig.cancel(1, rig.state.orders.orderId[rig.state.orders.firstOf(0)]!)
  each.look()
  assert.equal(
    rig.events().findLast(({ type }) => type === EventType.Outcome)!.fields['result'],
    Result.CanceledOnRequest,
  )
  each.step(-40 * day).pass(100)
  assert.equal(each.alarm, ClockAlarm.None)
  assert.equal(each.now, each.machine.wall)
  assert.equal(each.order(), Result.Accepted)
})

test('an hour back: index ages continue once the operator accepts engine time, and after a restart', () => {
  const each = new ClockRig().pass(second)
  const before = each.now
  each.step(-hour).pass(5 * second)
  assert.equal(each.alarm, ClockAlarm.Raised)
  assert.equal(each.now - before, 5 * second)
  each.accept(ClockChoice.Engine)
  assert.equal(each.alarm, ClockAlarm.None)
  assert.equal(each.rig.state.clock.offsetMillis, -hour)
  each.rig.index(100_000, 'BTC', each.now)
  each.look()
  assert.equal(each.order(), Result.Accepted)
  each.pass(61 * second)
  assert.equal(each.order(), Result.NoSpotPrice, 'the index has grown old')
  each.restart(10 * second)
  assert.equal(each.alarm, ClockAlarm.None)
  assert.equal(each.now, each.machine.wall + hour)
})

test('the stored distance is dropped when the clock reaches engine time by itself', () => {
  const each = new ClockRig().pass(second)
  each.step(10 * day)
  each.accept(ClockChoice.Engine)
  assert.equal(each.rig.state.clock.offsetMillis, 10 * day)
  each
    .pass(second)
    .step(-10 * day)
    .look()
  assert.deepEqual([each.alarm, each.rig.state.clock.offsetMillis], [ClockAlarm.None, 0])
  assert.equal(each.now, each.machine.wall)
})

test('engine time follows an accepted clock that is ahead at once, and due expiries run', () => {
  const each = new ClockRig().pass(second)
  each.step(40 * day).pass(second)
  each.accept(ClockChoice.Wall)
  each.look()
  assert.equal(each.alarm, ClockAlarm.None)
  assert.equal(each.now, each.machine.wall)
  assert.ok(each.now > expiryMillis)
  assert.notEqual(each.rig.state.instruments.state[0], InstrumentState.Active)
})

test('engine time waits, halted, for an accepted clock that is behind, also over a restart', () => {
  const each = new ClockRig().pass(second)
  each.step(-10 * second)
  const before = each.now
  each.accept(ClockChoice.Wall)
  each.pass(4 * second)
  assert.deepEqual([each.alarm, each.now], [ClockAlarm.Accepted, before])
  each.restart(second)
  assert.deepEqual([each.alarm, each.now], [ClockAlarm.Accepted, before])
  each.pass(5 * second)
  assert.equal(each.alarm, ClockAlarm.None)
  assert.equal(each.order(), Result.Accepted)
})

test('a step after the acceptance of a clock is not accepted', () => {
  const each = new ClockRig().pass(second)
  each.step(-10 * second)
  each.accept(ClockChoice.Wall)
  each
    .pass(second)
    .step(40 * day)
    .pass(second)
  assert.equal(each.alarm, ClockAlarm.Raised)
  assert.equal(each.rig.state.instruments.state[0], InstrumentState.Active)
})

test('an alarm accepted before the next check counts as one: a further difference is another step', () => {
  const each = new ClockRig().pass(second)
  each.restart(-10 * second, () => each.rig.acceptClock(ClockChoice.Engine, each.machine.wall))
  assert.deepEqual([each.alarm, each.now < each.machine.wall], [ClockAlarm.None, false])
  const before = each.now
  each.step(30 * second).pass(100)
  assert.equal(each.alarm, ClockAlarm.Raised)
  assert.ok(each.now - before < second, `${each.now - before} ms`)
})

test('without an alarm there is nothing to accept', () => {
  const each = new ClockRig().pass(second)
  const before = each.now
  for (const choice of [ClockChoice.Wall, ClockChoice.Engine]) {
    each.rig.acceptClock(choice, each.machine.wall + 5 * day)
    each.look()
    assert.deepEqual([each.alarm, each.rig.state.clock.offsetMillis], [ClockAlarm.None, 0])
  }
  assert.equal(each.now, before)
})

test('a start trusts up to 72 hours of downtime, and waits if the clock is further ahead or was set back', () => {
  for (const [downMillis, alarm] of [
    [71 * hour, ClockAlarm.None],
    [73 * hour, ClockAlarm.Raised],
    [-1 * second, ClockAlarm.None],
    [-3 * second, ClockAlarm.Raised],
  ] as const) {
    const each = new ClockRig().pass(second)
    const before = each.now
    each.restart(downMillis)
    each.look()
    assert.equal(each.alarm, alarm, `${downMillis} ms`)
    if (alarm === ClockAlarm.None) continue
    assert.ok(each.now - before < second)
    // Somebody sets it right: an hour after the process before has ended.
    each.step(hour - downMillis).pass(100)
    assert.equal(each.alarm, ClockAlarm.None, `${downMillis} ms`)
    assert.equal(each.now, each.machine.wall)
  }
})

test('a restart neither corrects a wrong clock nor spoils a right one', () => {
  for (const [step, isBack] of [
    [40 * day, false],
    [40 * day, true],
    [10 * hour, false],
    [10 * hour, true],
    [-10 * hour, false],
    [-10 * hour, true],
  ] as const) {
    const each = new ClockRig().pass(second)
    each.step(step).pass(second)
    each.restart(isBack ? -step + 5 * second : 5 * second)
    each.look()
    assert.equal(each.rig.state.clockAlarm, !isBack, `${step} ms, ${isBack}`)
    assert.equal(each.rig.state.instruments.state[0], InstrumentState.Active)
  }
})

test('a suspended machine is a step forward, because steady time has stopped', () => {
  const each = new ClockRig().pass(second)
  const before = each.now
  each.machine.wall += 5 * hour
  each.look()
  assert.equal(each.alarm, ClockAlarm.Raised)
  assert.equal(each.now, before)
})

test('the engine follows a slow quartz for days, and notices a clock that drifts faster', () => {
  for (const [driftPerSecond, alarm] of [
    [0.09, ClockAlarm.None],
    [1, ClockAlarm.Raised],
  ] as const) {
    const each = new ClockRig()
    for (let seconds = 0; seconds < 30_000; seconds += 10) {
      each.machine.wall += 10 * driftPerSecond
      each.machine.wall += 10 * second
      each.machine.steady += 10 * second
      each.look()
    }
    assert.equal(each.alarm, alarm, `${driftPerSecond} ms a second`)
  }
})

test('a thread that loses its core between the two clocks raises no alarm', () => {
  const each = new ClockRig().pass(second)
  let reads = 0
  const { machine, rig } = each
  const source = {
    // The first reading of the clock takes nine seconds.
    wallMillis: () => {
      if (reads++ > 0) return machine.wall
      machine.wall += 9 * second
      machine.steady += 9 * second
      return machine.wall
    },
    steadyMillis: () => machine.steady,
  }
  each.clock = new EngineClock(rig.state, rig.commands, source, bounds)
  each.clock.start()
  reads = 0
  each.look()
  assert.equal(each.alarm, ClockAlarm.None)
})

test('alarm and distance are part of state hash and snapshot, and fail changes of protections', () => {
  const each = new ClockRig().pass(second)
  const { rig } = each
  const calm = rig.state.hash.low
  each.step(10 * day).pass(second)
  rig.events()
  rig.setMmp(1, { interval: 1000, frozen: 1000, qty: 5 })
  rig.marginMode(1, 1)
  rig.agent(CommandType.ApproveAgent, 1, 9)
  each.look()
  const results = rig.events().filter(({ type }) => type === EventType.Outcome)
  assert.deepEqual(
    results.map(({ fields }) => fields['result']),
    [Result.VenueHalted, Result.VenueHalted, Result.Accepted],
  )
  const writer = new StateWriter()
  saveState(rig.state, writer)
  const other = replayCore(rig.state.config, 1).state
  loadState(other, new StateReader(writer.result()))
  assert.equal(other.clockAlarm, true)
  assert.equal(other.clock.stepMillis, rig.state.clock.stepMillis)
  assert.deepEqual([other.hash.low, other.hash.high], [rig.state.hash.low, rig.state.hash.high])
  assert.notEqual(rig.state.hash.low, calm)
})

test('instruments that expired during a clock alarm settle after it, by their own window', () => {
  const pricing = { ...engineConfigDefault.pricing, settlementWindowSeconds: 60 }
  const each = new ClockRig({ ...engineConfigDefault, pricing })
  const { rig } = each
  const dueMillis = Math.ceil(each.now / second) * second + 60 * second
  rig.list({ strike: 90_000 }, dueMillis)
  const feed = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      each.pass(second)
      rig.index(100_000, 'BTC', each.now)
      each.look()
    }
  }
  feed(30)
  each.step(10 * day)
  feed(85)
  assert.ok(each.now > dueMillis + 50 * second)
  assert.equal(rig.state.settlements.rows.length, 0)
  each.step(-10 * day).pass(second)
  const [row] = rig.state.settlements.rows
  assert.equal(row!.expiryMillis, dueMillis)
  assert.equal(isPriced(row!), true)
  assert.equal(row!.priceMicros, 100_000e6)
})

test('payouts interrupted by a clock alarm wait without a batch, and continue after it', () => {
  const settlement = { ...engineConfigDefault.settlement, payoutsPerBatch: 1 }
  const rig = new CoreRig({ ...engineConfigDefault, settlement }).openMarket()
  for (const [wallet, side] of [
    [1, 'Sell'],
    [2, 'Buy'],
  ] as const) {
    rig.place({ wallet, side, price: '3000', size: '1' })
  }
  rig.run()
  rig.nowMillis = expiryMillis
  rig.run()
  rig.settlementPrice(105_000, expiryMillis)
  rig.step()
  rig.clockAlarm(ClockAlarm.Raised, day)
  rig.step()
  const { settlements } = rig.state
  assert.equal(settlements.busy.length, 1)
  const { payoutCount } = settlements
  assert.ok(rig.core.nextDeadlineMillis > rig.nowMillis, 'it sleeps')
  assert.equal(rig.step(), false)
  rig.acceptClock(ClockChoice.Engine, rig.nowMillis + day)
  rig.run()
  assert.ok(settlements.payoutCount > payoutCount)
  assert.equal(settlements.busy.length, 0)
})
