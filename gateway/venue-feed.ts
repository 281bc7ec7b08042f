import type { Logger } from 'pino'
import { EngineTime } from '../engine/memory/engine-time.js'
import type { ExchangeMemory } from '../engine/memory/exchange-memory.js'
import { Result, resultRows } from '../schemas/results.js'
import type { Config } from './config/config-schema.js'
import { FeedDriver } from './feeds/feed-driver.js'
import { SimulatedFeed } from './feeds/simulated-feed.js'
import type { OperatorPort } from './operator/operator-port.js'

const feedSeed = 1

/** Returns the simulated market if one is configured. It continues from the recovered state. Call before any command. */
export function venueFeed(
  { feed: source, underlyings }: Config,
  memory: ExchangeMemory,
  sender: OperatorPort,
  log: Logger,
): FeedDriver | null {
  const feed = new SimulatedFeed({ seed: feedSeed, underlyings })
  if (!sender.readBootstrap(feed.onBootstrap.bind(feed))) {
    log.warn('the feed starts from scratch: the recovered market is too large to resume')
  }
  if (source !== 'simulated') return null
  const feedLog = log.child({ role: 'feed' })
  return new FeedDriver({
    feed,
    sender,
    nowMillis: new EngineTime(memory).millis,
    onRefused: (result) => {
      const alarm =
        result === Result.IndexLimit ? 'alarm: an index is above its maximum' : 'refused'
      feedLog.warn({ result: resultRows[result].code }, alarm)
    },
  })
}
