import { parentPort, workerData } from 'node:worker_threads'
import { Matcher } from '../matching/matcher.js'
import { type Duty, runDuty, StopFlag } from '../memory/duty.js'
import { flagWords, wakeupOf } from '../memory/exchange-memory.js'
import { Ring } from '../memory/ring.js'
import { MatcherDigestSide } from './book-digests.js'
import type { EngineMessage, EngineThreadData } from './thread-data.js'
import { takePlace } from './thread-place.js'

const { memory, options, index } = workerData as EngineThreadData

const place = wakeupOf.matcher(memory, index)
const { bell, beat } = takePlace(memory, place, options.pinning[`matcher-${index}`])
const matcher = new Matcher(
  new Ring(memory.orderRings[index], 'consumer'),
  new Ring(memory.resultRings[index], 'producer'),
)
const stop = new StopFlag(memory.flags, flagWords.stopOthers)
parentPort?.postMessage({ type: 'started' } satisfies EngineMessage)
const digestSide = new MatcherDigestSide(memory.bookDigests, matcher, index)
const duty: Duty = {
  role: matcher.role,
  onStart: () => matcher.onStart(),
  doWork() {
    const count = matcher.doWork()
    digestSide.doWork()
    return count
  },
  onClose: () => matcher.onClose(),
}
runDuty(duty, options.idle, bell, stop, beat)
