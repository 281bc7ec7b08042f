import { assert } from '../../../schemas/assert.js'
import { ClockAlarm, ClockChoice } from '../../../schemas/domain.js'
import {
  AcceptClockCommand,
  type AnyCommand,
  SetClockAlarmCommand,
} from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { type TimersState, turnAllTimers } from '../../lifecycle/timers.js'
import { type PublishMarketState, publishHalt } from '../../publish/publish-market.js'
import type { ClockState } from '../../state/market/clock-state.js'
import type { RfqTable } from '../../state/rfq/rfq-table.js'
import type { MarketOutcome } from '../steps/market-outcome.js'
import { type DecideCompetitionState, turnCompetitions } from './decide-competition.js'

interface DecideClockState extends PublishMarketState, TimersState, DecideCompetitionState {
  readonly clock: ClockState
  readonly rfqs: RfqTable
}

const setAlarm = new SetClockAlarmCommand()
const acceptance = new AcceptClockCommand()

/** SetClockAlarm: the shell tells of a clock that was stepped, or that it follows again. */
export function setClockAlarm(state: DecideClockState, command: AnyCommand): Result {
  const { alarm, stepMillis, offsetMillis } = setAlarm.of(command)
  change(state, alarm, stepMillis, offsetMillis)
  return Result.Accepted
}

/**
 * AcceptClock: the operator says what holds after a step. `engine`: engine time goes on as it is, and keeps its
 * distance from the clock. `wall`: the clock is right; the shell ends the alarm as soon as engine time can go on
 * with it, at once when the clock is ahead, and else when it has come to engine time, which waits for it.
 */
export function acceptClock(
  state: DecideClockState,
  command: AnyCommand,
  out: MarketOutcome,
): Result {
  const { clock, nowMillis } = state
  const { choice, wallMillis } = acceptance.of(command)
  const stepMillis = wallMillis - nowMillis
  if (!Number.isFinite(stepMillis)) return Result.ValueRefused
  if (choice === ClockChoice.Engine) {
    out.repeat = clock.alarm === ClockAlarm.None
    if (!out.repeat) change(state, ClockAlarm.None, 0, stepMillis)
    return Result.Accepted
  }
  out.repeat = clock.alarm === ClockAlarm.None && clock.offsetMillis === 0
  if (!out.repeat) change(state, ClockAlarm.Accepted, stepMillis, 0)
  return Result.Accepted
}

/** An alarm halts every underlying beside what halts it already, and readers are told so. */
function change(
  state: DecideClockState,
  alarm: ClockAlarm,
  stepMillis: number,
  offsetMillis: number,
): void {
  assert(Number.isFinite(offsetMillis), 'clock: the offset is finite')
  const wasHalted = state.clockAlarm
  state.clock.set(alarm, stepMillis, offsetMillis)
  if (state.clockAlarm === wasHalted) return
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) publishHalt(state, underlying)
  turnAllTimers(state)
  state.rfqs.mayBeStale = true
  // What has begun or ended meanwhile does so before anybody trades again.
  turnCompetitions(state)
}
