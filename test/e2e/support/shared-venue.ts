import { after, before } from 'node:test'
import { removeData } from '../../../bench/venue-process.js'
import { leaveMarketDay, takeMarketDay } from './market-day.js'
import { Venue } from './venue.js'

/** So few that a test reaches them within its rate window. */
const tierCaps = ['tier1.openOrdersMax=2', 'tier2.openOrdersMax=2', 'tier2.positionsMax=1']

/**
 * One venue for the files of a process, which run one after the other: a start costs more than most files of tests do
 * with it. A file may share when all of this holds:
 * - it needs no flag, no environment and no data of its own; a venue that it ends or kills it starts again;
 * - what it trades are options of `symbolOf`, which are of another day for each file, and its wallets are its own;
 * - it looks at no sum over all wallets or instruments, no whole list of the venue's, and no count of its metrics;
 * - what holds for the whole venue or an underlying (halts, tiers, perps, surfaces of other days) is at its end as it
 *   was at its beginning.
 * Any other has a `Venue` of its own.
 */
class SharedVenue extends Venue {
  #isStarted = false
  readonly #removeData = () => {
    removeData(this.dataDir)
  }

  constructor() {
    super({ arguments: tierCaps.map((cap) => `--set=limits.${cap}`) })
  }

  /** Started by the first file; a later one finds it as it is, or starts it again. The process ends it. */
  override async start(): Promise<void> {
    if (this.#isStarted) return
    await super.start()
    this.#isStarted = true
    this.letGo()
    // Behind the handler that ends this life of the venue.
    process.removeListener('exit', this.#removeData)
    process.once('exit', this.#removeData)
  }

  override end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.#isStarted = false
    return super.end(signal)
  }
}

let shared: SharedVenue | null = null

/** The shared venue, started before the tests of the calling file, which trades options of a day of its own. */
export function sharedVenue(): Venue {
  const venue = (shared ??= new SharedVenue())
  takeMarketDay()
  before(() => venue.start())
  after(leaveMarketDay)
  return venue
}
