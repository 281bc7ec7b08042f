import { parentPort, workerData } from 'node:worker_threads'
import { Matcher } from '../matching/matcher.js'
import { Counters } from '../memory/counters.js'
import { Doorbell } from '../memory/doorbell.js'
import { runDuty, StopFlag } from '../memory/duty.js'
import { doorbellOf, flagWords } from '../memory/exchange-memory.js'
import { Ring } from '../memory/ring.js'
import { steadyMillis } from '../memory/steady-clock.js'
import { pinThread, threadId } from './pin-thread.js'
import type { EngineMessage, EngineThreadData } from './thread-data.js'

const { memory, options, index } = workerData as EngineThreadData

pinThread(options.pinning[`matcher-${index}`])
const place = doorbellOf.matcher(memory, index)
const counters = new Counters(memory.counters, place)
counters.setThreadId(threadId())
const matcher = new Matcher(
  new Ring(memory.orderRings[index], 'consumer'),
  new Ring(memory.resultRings[index], 'producer'),
)
const stop = new StopFlag(memory.flags, flagWords.stopOthers)
const bell = new Doorbell(memory.doorbells, place)
parentPort?.postMessage({ type: 'started' } satisfies EngineMessage)
runDuty(matcher, options.idle, bell, stop, () => counters.beat(steadyMillis()))
