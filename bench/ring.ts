import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { idleLimits } from '../engine/memory/duty.js'
import { allocateRing, Ring } from '../engine/memory/ring.js'
import { type BenchResult, ratioOf, spread } from './measure/bench-result.js'

export interface RingBenchOptions {
  /** Records of 64 bytes per run. */
  readonly count: number
  readonly runs: number
}

type RingRole = 'ring-producer' | 'ring-consumer' | 'message-producer'

interface RingWorkerData {
  readonly role: RingRole
  readonly memory: SharedArrayBuffer
  /** One word: number of the run that the consumer is ready for. */
  readonly ready: SharedArrayBuffer
}

/** Consumer's result of a run. */
interface Consumed {
  readonly nanos: number
  readonly sum: number
}

const recordBytes = 64
const ringBytes = 1 << 20
const recordsPerCommit = 64

/**
 * Measures the command ring between one producer and one consumer thread. The references are copying the same bytes within
 * one thread, and sending the same records with postMessage. All threads live through all runs, and the first run is a
 * warm-up.
 */
export async function runRingBench(options: RingBenchOptions): Promise<BenchResult[]> {
  const { count, runs } = options
  const messages = Math.ceil(count / 40)
  const threads = new BenchThreads()
  const ring: number[] = []
  const copy: number[] = []
  const message: number[] = []
  let sum = 0
  try {
    for (let run = 0; run <= runs; run++) {
      const passed = await threads.passRecords(count)
      const copied = copyRecords(count)
      const sent = await threads.sendMessages(messages)
      if (run === 0) continue
      sum = passed.sum
      ring.push((count / passed.nanos) * 1000)
      copy.push((count / copied) * 1000)
      message.push((messages / sent) * 1000)
    }
  } finally {
    await threads.end()
  }
  const unit = 'million records/s'
  const extra = { loop: 'closed', records: count, recordBytes, threads: 2, sum }
  const comparison = { threshold: { atLeast: 0.3 }, extra: { about: 'both of the same run' } }
  const ahead = { threshold: { atLeast: 25 }, extra: { messages } }
  return [
    { name: 'ring.one-to-one', unit, ...spread(ring), threshold: { atLeast: 10 }, extra },
    {
      name: 'ring.copy-one-thread',
      unit,
      ...spread(copy),
      extra: { about: 'copyWithin, no hand-over' },
    },
    ratioOf({ name: 'ring.one-to-one-of-copy', ...comparison }, ring, copy),
    { name: 'ring.post-message', unit, ...spread(message), extra: { messages } },
    ratioOf({ name: 'ring.one-to-one-of-post-message', ...ahead }, ring, message),
  ]
}

/** Threads of the benchmark. Each does a run when it receives a number of records. */
class BenchThreads {
  readonly #memory = allocateRing(ringBytes)
  readonly #ready = new SharedArrayBuffer(4)
  readonly #producer = this.#start('ring-producer')
  readonly #consumer = this.#start('ring-consumer')
  readonly #messenger = this.#start('message-producer')

  async passRecords(count: number): Promise<Consumed> {
    const consumed = answerOf<Consumed>(this.#consumer)
    this.#consumer.postMessage(count)
    this.#producer.postMessage(count)
    const { nanos, sum } = await consumed
    if (sum !== (count * (count - 1)) / 2) throw new Error('ring: records were lost or repeated')
    return { nanos, sum }
  }

  /** @returns nanoseconds from the first message to the last. */
  sendMessages(count: number): Promise<number> {
    const worker = this.#messenger
    return new Promise((resolve, reject) => {
      let received = 0
      let begin = 0n
      const take = () => {
        if (received++ === 0) begin = process.hrtime.bigint()
        if (received <= count) return
        worker.off('message', take)
        worker.off('error', reject)
        resolve(Number(process.hrtime.bigint() - begin))
      }
      worker.on('message', take)
      worker.once('error', reject)
      worker.postMessage(count + 1)
    })
  }

  async end(): Promise<void> {
    const workers = [this.#producer, this.#consumer, this.#messenger]
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  #start(role: RingRole): Worker {
    const data: RingWorkerData = { role, memory: this.#memory, ready: this.#ready }
    return new Worker(new URL(import.meta.url), { workerData: data })
  }
}

function answerOf<T>(worker: Worker): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (answer) => {
      worker.off('error', reject)
      resolve(answer)
    })
  })
}

/** @returns nanoseconds. */
function copyRecords(count: number): number {
  const bytes = new Uint8Array(new SharedArrayBuffer(ringBytes)).fill(1)
  const half = ringBytes >> 1
  const begin = process.hrtime.bigint()
  for (let i = 0, at = 0; i < count; i++) {
    bytes.copyWithin(half + at, at, at + recordBytes)
    at = (at + recordBytes) & (half - 1)
  }
  return Number(process.hrtime.bigint() - begin)
}

/**
 * Idle strategy `yield` of the engine's threads: polls a number of times, then sleeps. Threads that only spin make no
 * progress for whole time slices when the scheduler puts both on one core.
 */
class YieldIdle {
  readonly #word = new Int32Array(new SharedArrayBuffer(4))
  #looks = 0

  pause(): void {
    if (++this.#looks < idleLimits.yield.looksMax) return
    this.#looks = 0
    Atomics.wait(this.#word, 0, 0, idleLimits.yield.sleepMillisMax)
  }
}

function produce(ring: Ring, count: number): void {
  const idle = new YieldIdle()
  for (let sent = 0; sent < count; ) {
    const at = ring.tryClaim(recordBytes, 1)
    if (at < 0) {
      ring.commit()
      idle.pause()
      continue
    }
    // Writes the whole record, as a command does.
    const word = at >> 3
    for (let i = 1; i < recordBytes >> 3; i++) ring.f64[word + i] = sent
    if (++sent % recordsPerCommit === 0) ring.commit()
  }
  ring.commit()
}

/** Reads a run of records. The time starts when the first one arrives. */
function consume(ring: Ring, count: number): Consumed {
  const idle = new YieldIdle()
  while (!ring.hasNext()) idle.pause()
  const begin = process.hrtime.bigint()
  let sum = 0
  for (let received = 0; received < count; ) {
    const at = ring.next()
    if (at < 0) {
      ring.release()
      idle.pause()
      continue
    }
    const word = at >> 3
    let differs = 0
    for (let i = 1; i < recordBytes >> 3; i++) differs |= ring.f64[word + i] - received
    if (differs !== 0) throw new Error('ring: a record arrived torn or out of order')
    sum += received
    if (++received % recordsPerCommit === 0) ring.release()
  }
  ring.release()
  return { nanos: Number(process.hrtime.bigint() - begin), sum }
}

/** Serves runs in a worker, one per received count. */
function serve({ role, memory, ready }: RingWorkerData): void {
  const ring = new Ring(memory, role === 'ring-consumer' ? 'consumer' : 'producer')
  const word = new Int32Array(ready)
  let runs = 0
  parentPort?.on('message', (count: number) => {
    runs++
    if (role === 'ring-consumer') {
      Atomics.store(word, 0, runs)
      Atomics.notify(word, 0)
      parentPort?.postMessage(consume(ring, count))
    } else if (role === 'ring-producer') {
      Atomics.wait(word, 0, runs - 1)
      produce(ring, count)
    } else {
      const record = () => new Float64Array(recordBytes >> 3)
      for (let i = 0; i < count; i++) parentPort?.postMessage(record())
    }
  })
}

if (!isMainThread && isRingWorkerData(workerData)) serve(workerData)

function isRingWorkerData(data: unknown): data is RingWorkerData {
  return typeof data === 'object' && data !== null && 'role' in data && 'ready' in data
}
