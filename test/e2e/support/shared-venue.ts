import { rmSync } from 'node:fs'
import { before } from 'node:test'
import { nextMarketDay } from './market-day.js'
import { Venue } from './venue.js'

/**
 * One venue for the files of a process, which run one after the other: a start costs more than most files of tests do
 * with it. A file may share when all of this holds:
 * - it needs no flag, no environment and no data of its own, and neither ends nor restarts the venue;
 * - what it trades are options of `symbolOf`, which are of another day for each file, and its wallets are its own;
 * - it looks at no sum over all wallets or instruments, no whole list of the venue's, and no count of its metrics;
 * - what holds for the whole venue or an underlying (halts, tiers, perps, surfaces of other days) is at its end as it
 *   was at its beginning.
 * Any other has a `Venue` of its own.
 */
class SharedVenue extends Venue {
  #isStarted = false

  /** Started once; the process ends it. */
  override async start(): Promise<void> {
    if (this.#isStarted) return
    await super.start()
    this.#isStarted = true
    this.letGo()
    // Registered behind the end of the venue itself.
    process.once('exit', () =>
      rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 }),
    )
  }
}

let shared: SharedVenue | null = null

/** The shared venue, started before the tests of the calling file, which trades options of a day of its own. */
export function sharedVenue(): Venue {
  const venue = (shared ??= new SharedVenue())
  nextMarketDay()
  before(() => venue.start())
  return venue
}
