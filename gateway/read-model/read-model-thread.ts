import { parentPort, workerData } from 'node:worker_threads'
import { runDuty, StopFlag } from '../../engine/memory/duty.js'
import { EngineTime } from '../../engine/memory/engine-time.js'
import { type ExchangeMemory, flagWords, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { gatheringDuty } from '../../engine/memory/gathering-duty.js'
import { steadyMillis } from '../../engine/memory/steady-clock.js'
import type { IdleStrategy } from '../../engine/memory/wakeup.js'
import { takePlace } from '../../engine/threads/thread-place.js'
import type { LiquidationEntry } from '../wire/liquidation-entry.js'
import type { NameEntry } from '../wire/name-entry.js'
import type { ProviderEntry } from '../wire/provider-entry.js'
import type { WithdrawalEntry } from '../wire/withdrawal-entry.js'
import { ReadModel } from './read-model.js'
import type { ReadModelConfig } from './texts/route-context.js'
import type { TradeSeed } from './views/trade-statistics.js'

/** `workerData` of the read-model thread. */
export interface ReadModelThreadData {
  readonly memory: ExchangeMemory
  readonly config: ReadModelConfig
  /** Folder of the history store. */
  readonly dataDir: string
  /** Result of `readTradeSeed`: trading before this process. */
  readonly tradeSeed: TradeSeed
  readonly idle: IdleStrategy
  /** Core to pin the thread to, if any. */
  readonly pinnedCore: number | undefined
}

/** Message to the parent thread. */
export interface ReadModelMessage {
  readonly withdrawal?: WithdrawalEntry
  readonly name?: NameEntry
  readonly provider?: ProviderEntry
  readonly liquidation?: LiquidationEntry | null
}

// Under load it follows the log in steps of this length instead of batch by batch. A read ends the step immediately.
const gatherMillis = 1

const { memory, config, dataDir, tradeSeed, idle, pinnedCore } = workerData as ReadModelThreadData

const { bell, beat } = takePlace(memory, wakeupOf.readModel, pinnedCore)
const model = new ReadModel(memory, config, new EngineTime(memory).millis, steadyMillis)
model.views.seed(tradeSeed)
const tell = (message: ReadModelMessage) => parentPort?.postMessage(message)
model.views.onWithdrawal = (withdrawal) => tell({ withdrawal })
model.views.onName = (name) => tell({ name })
model.views.onProvider = (provider) => tell({ provider })
model.views.onLiquidation = (liquidation) => tell({ liquidation })
const stop = new StopFlag(memory.flags, flagWords.stopOthers)
const gathering = gatheringDuty(model, bell, {
  millis: gatherMillis,
  countFull: Number.POSITIVE_INFINITY,
  hasUrgentWork: () => model.hasReads(),
})
const pause = { isRaised: () => stop.isRaised() || model.standings.lacksStore }
do {
  // Loaded lazily, because few starts need it.
  if (model.standings.lacksStore) {
    const { CompetitionStore } = await import('./history/competition-store.js')
    model.standings.bringStore(() => new CompetitionStore(dataDir))
  }
  runDuty(idle === 'park' ? gathering : model, idle, bell, pause, beat)
} while (!stop.isRaised())
