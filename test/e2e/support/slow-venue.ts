import { Venue } from './venue.js'

const loader = new URL('./slow-clock.js', import.meta.url).href
const minute = 60_000
/** Lets the clock lag steady time by an hour, so that no test lasts long enough for the clock alarm. */
const bound = '--set=clock.stepMillisMax=3600000'

/**
 * Offset into a minute and into a second: threads of a loaded machine read times on the same side of both boundaries.
 */
const intoMinuteMillis = 10_500

/**
 * Venue whose clock hardly advances, for budgets that time would refill. A test ends long before a second of this
 * clock, even on a loaded machine.
 */
export class SlowVenue extends Venue {
  /** Unix milliseconds of the minute that lasts for the whole test. */
  readonly minuteMillis: number

  constructor(flags: readonly string[]) {
    const trueMillis = Date.now()
    const minuteMillis = Math.floor(trueMillis / minute) * minute
    super({
      arguments: [bound, ...flags],
      environment: {
        NODE_OPTIONS: `--import=${loader}`,
        SLOW_CLOCK_TRUE: String(trueMillis),
        SLOW_CLOCK_SHOWN: String(minuteMillis + intoMinuteMillis),
      },
    })
    this.minuteMillis = minuteMillis
  }
}
