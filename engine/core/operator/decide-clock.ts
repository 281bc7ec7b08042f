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

/** SetClockAlarm: the shell reports that the clock was stepped, or that engine time follows it again. */
export function setClockAlarm(state: DecideClockState, command: AnyCommand): Result {
  const { alarm, stepMillis, offsetMillis } = setAlarm.of(command)
  setClock(state, alarm, stepMillis, offsetMillis)
  return Result.Accepted
}

/**
 * AcceptClock: the operator decides what holds after a step. `engine`: engine time continues as it is and keeps its
 * offset from the clock. `wall`: the clock is right, and the shell ends the alarm once engine time can follow it. That
 * is at once if the clock is ahead; otherwise engine time waits until the clock has caught up.
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
    if (!out.repeat) setClock(state, ClockAlarm.None, 0, stepMillis)
    return Result.Accepted
  }
  out.repeat = clock.alarm === ClockAlarm.None && clock.offsetMillis === 0
  if (!out.repeat) setClock(state, ClockAlarm.Accepted, stepMillis, 0)
  return Result.Accepted
}

/** Sets the alarm. It halts every underlying in addition to other halts, and publishes that. */
function setClock(
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
  // Competitions that became due in the interval begin or end before anybody trades again.
  turnCompetitions(state)
}
