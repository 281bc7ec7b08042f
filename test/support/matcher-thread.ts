import { workerData } from 'node:worker_threads'
import { Matcher } from '../../engine/matching/matcher.js'
import { Ring } from '../../engine/memory/ring.js'

/** What the thread is given: the two rings, and after how many commands it ends. */
export interface MatcherThreadData {
  readonly orders: SharedArrayBuffer
  readonly results: SharedArrayBuffer
  readonly commands: number
}

const { orders, results, commands } = workerData as MatcherThreadData
const matcher = new Matcher(new Ring(orders, 'consumer'), new Ring(results, 'producer'))
for (let count = 0; count < commands; ) count += matcher.doWork()
