import { workerData } from 'node:worker_threads'
import { doorbellOf, type ExchangeMemory, flagWords } from '../../engine/exchange-memory.js'
import { Counters } from '../../engine/memory/counters.js'
import { Doorbell } from '../../engine/memory/doorbell.js'
import { runDuty, StopFlag } from '../../engine/memory/duty.js'
import { pinThread, threadId } from '../../engine/threads/pin-thread.js'
import { HistoryWriter } from './history-writer.js'

/** `workerData` of the history thread. */
export interface HistoryThreadData {
  readonly memory: ExchangeMemory
  /** Folder of the store's file. */
  readonly dataDir: string
  /** Core to pin the thread to, if any. */
  readonly pinnedCore: number | undefined
}

const { memory, dataDir, pinnedCore } = workerData as HistoryThreadData

pinThread(pinnedCore)
const counters = new Counters(memory.counters, doorbellOf.history)
counters.setThreadId(threadId())
const writer = new HistoryWriter(memory, dataDir, () => performance.now())
const bell = new Doorbell(memory.doorbells, doorbellOf.history)
const stop = new StopFlag(memory.flags, flagWords.stopOthers)
// A larger transaction costs less per row, so there is nothing to win by spinning.
runDuty(writer, 'park', bell, stop, () => counters.beat(Date.now()))
