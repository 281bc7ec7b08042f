import {
  allocateBatchStamps,
  BatchStamps,
  FlushStamps,
  findBatch,
} from '../engine/memory/batch-stamps.js'
import { allocateOrderStamps, findStamp, OrderStamps } from '../engine/memory/order-stamps.js'
import { CommandType } from '../schemas/generated/commands.js'
import { type BenchResult, spread } from './bench-result.js'

export interface AutopsyBenchOptions {
  /** Orders, and batches, of each repeat. */
  readonly count: number
  readonly repeats: number
}

const nanosPerMicro = 1000
const commandWords = 64

/**
 * What the order autopsy adds to every order: processor time of all stamps that its gateway writes from the request to
 * the answer, and of those of a batch by core and journal, which all of its orders share; looks at the clock included. The
 * latest order and batch are found with their times, or the bench fails.
 */
export function runAutopsyBench({ count, repeats }: AutopsyBenchOptions): BenchResult[] {
  const orders = orderStamping()
  const batches = batchStamping()
  const figures = { orders: [] as number[], batches: [] as number[] }
  for (let repeat = 0; repeat <= repeats; repeat++) {
    const [ofOrder, ofBatch] = [nanosOf(count, orders.stamp), nanosOf(count, batches.stamp)]
    if (repeat === 0) continue // the runtime has compiled it
    figures.orders.push(ofOrder)
    figures.batches.push(ofBatch)
  }
  if (!orders.isFound() || !batches.isFound()) throw new Error('autopsy: the latest is not found')
  const extra = { count, repeats }
  const unit = 'ns'
  return [
    { name: 'autopsy.order', unit, ...spread(figures.orders), extra },
    { name: 'autopsy.batch', unit, ...spread(figures.batches), extra },
  ]
}

function nanosOf(count: number, stamp: () => void): number {
  const begun = process.cpuUsage()
  for (let index = 0; index < count; index++) stamp()
  const { user, system } = process.cpuUsage(begun)
  return ((user + system) * nanosPerMicro) / count
}

function orderStamping() {
  const memory = allocateOrderStamps()
  const stamps = new OrderStamps(memory)
  const facts = { orderId: 0, status: 0, instrument: 0 }
  const outcome = { seq: 0, result: 0, flags: 0, facts, details: () => 0 }
  const i32 = new Int32Array(commandWords)
  const command = { recordType: CommandType.PlaceOrder, nonceHigh: 0, nonceLow: 0, i32 }
  return {
    stamp(): void {
      command.nonceLow++
      facts.orderId = ++outcome.seq
      stamps.receive()
      stamps.check()
      stamps.beginSubmit()
      const row = stamps.send(command, 0, performance.now())
      stamps.leave()
      stamps.decide(row, outcome, outcome.seq)
      stamps.answerTold()
    },
    isFound(): boolean {
      const found = findStamp([memory], { orderId: facts.orderId }, () => true)
      return found !== null && found.receivedMillis > 0 && found.answeredMillis > 0
    },
  }
}

function batchStamping() {
  const memory = allocateBatchStamps()
  const [core, journal] = [new BatchStamps(memory), new FlushStamps(memory, 0)]
  let number = 0
  return {
    stamp(): void {
      number++
      core.onBegun(performance.now())
      core.onCollected()
      core.onClosed(number, number, number, 1, number)
      journal.onDurable(number)
    },
    isFound: () => (findBatch(memory, number)?.flushedMillis ?? 0) > 0,
  }
}
