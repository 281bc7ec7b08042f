import { workerData } from 'node:worker_threads'
import { Matcher } from '../../engine/matching/matcher.js'
import { Ring } from '../../engine/memory/ring.js'

/** Data of the thread: the two rings, and the number of commands after which it ends. */
export interface MatcherThreadData {
  readonly orders: SharedArrayBuffer
  readonly results: SharedArrayBuffer
  readonly commands: number
}

const { orders, results, commands } = workerData as MatcherThreadData
const matcher = new Matcher(new Ring(orders, 'consumer'), new Ring(results, 'producer'))
for (let count = 0; count < commands; ) count += matcher.doWork()
