import { parentPort, workerData } from 'node:worker_threads'
import { runDuty, StopFlag } from '../../../engine/memory/duty.js'
import { flagWords, wakeupOf } from '../../../engine/memory/exchange-memory.js'
import { gatheringDuty } from '../../../engine/memory/gathering-duty.js'
import { yieldToOthers } from '../../../engine/threads/pin-thread.js'
import type { EngineMessage } from '../../../engine/threads/thread-data.js'
import { takePlace } from '../../../engine/threads/thread-place.js'
import { HistoryState } from './history-state.js'
import { HistoryUpkeep, type HistoryUpkeepOptions } from './history-upkeep.js'
import { eventsPerCommitMax } from './history-writer.js'

/** `workerData` of the history thread. */
export interface HistoryThreadData extends Omit<HistoryUpkeepOptions, 'clock' | 'onNote'> {
  /** Core to pin the thread to, if any. */
  readonly pinnedCore: number | undefined
}

const { pinnedCore, ...options } = workerData as HistoryThreadData
const { memory } = options

/**
 * Pause between transactions. A larger transaction writes only the last state of an order that changed several times.
 * The thread pauses several times in a row, because each transaction writes every page it touches; a waiting query
 * shortens that to one pause.
 */
const pauseMillis = 10
const pausesMax = 20

const { bell, beat } = takePlace(memory, wakeupOf.history, pinnedCore)
yieldToOthers()
const upkeep = new HistoryUpkeep({
  ...options,
  clock: () => performance.now(),
  onNote: (text) => parentPort?.postMessage({ type: 'note', text } satisfies EngineMessage),
})
const state = new HistoryState(memory)
const stop = new StopFlag(memory.flags, flagWords.stopOthers)
// A larger transaction costs less per row, so the thread never spins.
const duty = gatheringDuty(upkeep, bell, {
  millis: pauseMillis,
  dozesMax: pausesMax,
  countFull: eventsPerCommitMax,
  hasUrgentWork: () => state.takeAsked() || stop.isRaised(),
})
const interrupt = { isRaised: () => stop.isRaised() || upkeep.lacksRebuild }
do {
  if (upkeep.lacksRebuild) {
    const { HistoryRebuild } = await import('./history-rebuild.js')
    upkeep.provideRebuild(HistoryRebuild)
  }
  runDuty(duty, 'park', bell, interrupt, beat)
} while (!stop.isRaised())
