import { workerData } from 'node:worker_threads'
import { runDuty, StopFlag } from '../../engine/memory/duty.js'
import { EventLogReader } from '../../engine/memory/event-log.js'
import { type ExchangeMemory, flagWords } from '../../engine/memory/exchange-memory.js'
import { Wakeup } from '../../engine/memory/wakeup.js'

/** Data of the thread: its reader number in the event log, and its wakeup word. */
export interface LogFollowerData {
  readonly memory: ExchangeMemory
  readonly reader: number
  readonly wakeup: number
}

const { memory, reader, wakeup } = workerData as LogFollowerData
const log = new EventLogReader(memory.eventLog, reader)
const duty = {
  role: 'follower',
  onStart() {},
  doWork() {
    let count = 0
    while (log.next() >= 0) count++
    if (count > 0) log.release()
    return count
  },
  onClose() {},
}
const bell = new Wakeup(memory.wakeups, wakeup)
runDuty(duty, 'park', bell, new StopFlag(memory.flags, flagWords.stopOthers))
