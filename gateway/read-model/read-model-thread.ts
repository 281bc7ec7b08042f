import { workerData } from 'node:worker_threads'
import { Counters } from '../../engine/memory/counters.js'
import { Doorbell, type IdleStrategy } from '../../engine/memory/doorbell.js'
import { runDuty, StopFlag } from '../../engine/memory/duty.js'
import { EngineTime } from '../../engine/memory/engine-time.js'
import { doorbellOf, type ExchangeMemory, flagWords } from '../../engine/memory/exchange-memory.js'
import { gatheringDuty } from '../../engine/memory/gathering-duty.js'
import { steadyMillis } from '../../engine/memory/steady-clock.js'
import { pinThread, threadId } from '../../engine/threads/pin-thread.js'
import { ReadModel } from './read-model.js'
import type { ReadModelConfig } from './texts/route-context.js'
import type { TradeSeed } from './views/trade-statistics.js'

/** `workerData` of the read-model thread. */
export interface ReadModelThreadData {
  readonly memory: ExchangeMemory
  readonly config: ReadModelConfig
  /** Of `readTradeSeed`: what traded before this process. */
  readonly tradeSeed: TradeSeed
  readonly idle: IdleStrategy
  /** Core to pin the thread to, if any. */
  readonly pinnedCore: number | undefined
}

// Under load it follows the log in steps of this length instead of batch by batch; a read ends the
// step at once.
const gatherMillis = 1

const { memory, config, tradeSeed, idle, pinnedCore } = workerData as ReadModelThreadData

pinThread(pinnedCore)
const counters = new Counters(memory.counters, doorbellOf.readModel)
counters.setThreadId(threadId())
const model = new ReadModel(memory, config, new EngineTime(memory.counters, doorbellOf.core).millis)
model.views.seed(tradeSeed)
const bell = new Doorbell(memory.doorbells, doorbellOf.readModel)
const stop = new StopFlag(memory.flags, flagWords.stopOthers)
const gathering = gatheringDuty(model, bell, {
  millis: gatherMillis,
  countFull: Number.POSITIVE_INFINITY,
  hasUrgentWork: () => model.hasReads(),
})
runDuty(idle === 'park' ? gathering : model, idle, bell, stop, () => counters.beat(steadyMillis()))
