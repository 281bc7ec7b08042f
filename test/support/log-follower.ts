import { workerData } from 'node:worker_threads'
import { type ExchangeMemory, flagWords } from '../../engine/exchange-memory.js'
import { CounterName, Counters } from '../../engine/memory/counters.js'
import { Doorbell } from '../../engine/memory/doorbell.js'
import { runDuty, StopFlag } from '../../engine/memory/duty.js'
import { EventLogReader } from '../../engine/memory/event-log.js'
import { recordTypeAt } from '../../engine/memory/layout.js'
import { EventType, eventSeqAt } from '../../schemas/events.js'

/** What the thread is given: which reader of the event log it is, and its doorbell. */
export interface LogFollowerData {
  readonly memory: ExchangeMemory
  readonly reader: number
  readonly doorbell: number
  /** What a history store had before. */
  readonly historySeq: number
}

const { memory, reader, doorbell, historySeq } = workerData as LogFollowerData
const log = new EventLogReader(memory.eventLog, reader)
const counters = new Counters(memory.counters, doorbell)
/** As a history store does that has more than recovery ended with. */
function goBack(at: number): void {
  if (log.i32[(at + recordTypeAt) >> 2] !== EventType.BootstrapBegin) return
  const seq = log.f64[(at + eventSeqAt) >> 3]!
  if (seq < historySeq) counters.set(CounterName.HistorySequence, seq)
}
const duty = {
  role: 'follower',
  onStart() {},
  doWork() {
    let count = 0
    for (let at = log.next(); at >= 0; at = log.next()) {
      goBack(at)
      count++
    }
    if (count > 0) log.release()
    return count
  },
  onClose() {},
}
const bell = new Doorbell(memory.doorbells, doorbell)
runDuty(duty, 'park', bell, new StopFlag(memory.flags, flagWords.stopOthers))
