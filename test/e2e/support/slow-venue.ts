import { Venue } from './venue.js'

const loader = new URL('./slow-clock.js', import.meta.url).href
const minute = 60_000
/** The venue takes its clock for stepped only when it is this far behind steady time, an hour from its start. */
const bound = '--set=clock.stepMillisMax=3600000'

/** Into a minute and into a second of it: what threads of a loaded machine see differs by no border of either. */
const intoMinuteMillis = 10_500

/**
 * A venue whose clock hardly goes, for budgets that time would refill: a test ends long before a second of it does,
 * however loaded the machine is.
 */
export class SlowVenue extends Venue {
  /** Unix milliseconds of the minute that lasts as long as the test. */
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
