import type { Logger } from 'pino'
import { CounterName, type Counters } from '../../engine/memory/counters.js'
import { wakeupOf } from '../../engine/memory/exchange-memory.js'
import type { ClockMessage } from '../../engine/threads/thread-data.js'
import { ClockAlarm } from '../../schemas/domain.js'

/** State of engine time relative to the machine's clock. */
export interface ClockStanding {
  readonly alarm: ClockAlarm
  /** Machine clock minus engine time. */
  readonly aheadMillis: number
}

const howToEnd =
  'correct the clock, or POST /operator/clock {"accept": "wall"} to continue with the clock, ' +
  '{"accept": "engine"} to continue with engine time'

/** Returns the state of the clock that the core last reported. */
export function clockStanding(counters: Counters): ClockStanding {
  return {
    alarm: counters.read(wakeupOf.core, CounterName.ClockAlarm) as ClockAlarm,
    aheadMillis: counters.read(wakeupOf.core, CounterName.ClockAheadMillis),
  }
}

/** Logs a change of the clock's state; for an alarm also how to end it. */
export function logClock(log: Logger, { alarm, engineMillis, aheadMillis }: ClockMessage): void {
  const facts = { engineTime: textOf(engineMillis), clock: textOf(engineMillis + aheadMillis) }
  if (alarm === ClockAlarm.None) {
    log.warn(facts, 'clock alarm ended: trading continues')
  } else if (alarm === ClockAlarm.Raised) {
    log.error(facts, `clock alarm: the machine clock stepped, trading is halted; ${howToEnd}`)
  } else if (aheadMillis < 0) {
    log.warn(facts, 'clock accepted: trading continues when the clock reaches engine time')
  }
}

/** Formats a time. The clock may show one that is outside the range of dates. */
function textOf(millis: number): string {
  const date = new Date(millis)
  return Number.isNaN(date.getTime()) ? String(millis) : date.toISOString()
}
