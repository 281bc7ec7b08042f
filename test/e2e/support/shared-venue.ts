import { after, before } from 'node:test'
import { removeData } from '../../../bench/venue-process.js'
import { leaveMarketDay, takeMarketDay } from './market-day.js'
import { Venue } from './venue.js'

/** So low that a test reaches them within its rate window. */
const tierCaps = ['tier1.openOrdersMax=2', 'tier2.openOrdersMax=2', 'tier2.positionsMax=1']

/**
 * One venue for the files of a process, which run one after the other: a start costs more than most test files do with
 * it. A file may share it when all of this holds:
 * - It needs no flags, environment or data of its own, and restarts a venue that it ends or kills.
 * - It trades options of `symbolOf`, which expire on another day for each file, with wallets of its own.
 * - It reads no sum over all wallets or instruments, no complete list of the venue's, and no metric count.
 * - It restores everything that affects the whole venue or an underlying (halts, tiers, perps, surfaces of other days).
 *
 * Any other file has a `Venue` of its own.
 */
class SharedVenue extends Venue {
  #isStarted = false
  readonly #removeData = () => {
    removeData(this.dataDir)
  }

  constructor() {
    super({ arguments: tierCaps.map((cap) => `--set=limits.${cap}`) })
  }

  /**
   * Starts the venue for the first file. Later files use it, or start it again if it has ended. The process ends it.
   */
  override async start(): Promise<void> {
    if (this.#isStarted) return
    await super.start()
    this.#isStarted = true
    this.letGo()
    // Runs after the handler that ends this run of the venue.
    process.removeListener('exit', this.#removeData)
    process.once('exit', this.#removeData)
  }

  override end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.#isStarted = false
    return super.end(signal)
  }
}

let shared: SharedVenue | null = null

/**
 * Returns the shared venue, started before the tests of the calling file, which trades options of an expiry day of its
 * own.
 */
export function sharedVenue(): Venue {
  const venue = (shared ??= new SharedVenue())
  takeMarketDay()
  before(() => venue.start())
  after(leaveMarketDay)
  return venue
}
