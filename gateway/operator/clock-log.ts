import type { Logger } from 'pino'
import { CounterName, type Counters } from '../../engine/memory/counters.js'
import { doorbellOf } from '../../engine/memory/exchange-memory.js'
import type { ClockMessage } from '../../engine/threads/thread-data.js'
import { ClockAlarm } from '../../schemas/domain.js'

/** How engine time stands to the clock of the machine. */
export interface ClockStanding {
  readonly alarm: ClockAlarm
  /** What the clock says beyond engine time. */
  readonly aheadMillis: number
}

const howToEnd =
  'set the clock right, or POST /operator/clock {"accept": "wall"} to go on with it, ' +
  '{"accept": "engine"} to go on with engine time'

/** Standing of the clock as the core told it last. */
export function clockStanding(counters: Counters): ClockStanding {
  return {
    alarm: counters.read(doorbellOf.core, CounterName.ClockAlarm) as ClockAlarm,
    aheadMillis: counters.read(doorbellOf.core, CounterName.ClockAheadMillis),
  }
}

/** Says what became of the clock; of an alarm also how it ends. */
export function logClock(log: Logger, { alarm, engineMillis, aheadMillis }: ClockMessage): void {
  const facts = { engineTime: textOf(engineMillis), clock: textOf(engineMillis + aheadMillis) }
  if (alarm === ClockAlarm.None) {
    log.warn(facts, 'clock alarm ended: trading goes on')
  } else if (alarm === ClockAlarm.Raised) {
    log.error(facts, `clock alarm: the clock was stepped, trading is halted; ${howToEnd}`)
  } else if (aheadMillis < 0) {
    log.warn(facts, 'the clock is accepted: trading goes on when it has come to engine time')
  }
}

/** A clock may name a time that no date has. */
function textOf(millis: number): string {
  const date = new Date(millis)
  return Number.isNaN(date.getTime()) ? String(millis) : date.toISOString()
}
