import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { allocateRing, Ring } from '../engine/memory/ring.js'
import { type BenchResult, spread } from './bench-result.js'

export interface RingBenchOptions {
  /** Records of 64 bytes per run. */
  readonly count: number
  readonly runs: number
}

interface RingWorkerData {
  readonly role: 'ring-producer' | 'ring-consumer' | 'message-producer'
  readonly memory: SharedArrayBuffer
  readonly count: number
}

const recordBytes = 64
const ringBytes = 1 << 20
const recordsPerCommit = 64

/**
 * One producer thread and one consumer thread over the ring that carries commands, against two
 * limits: copying the same bytes inside one thread, and sending the same records with postMessage.
 */
export async function runRingBench(options: RingBenchOptions): Promise<BenchResult[]> {
  const { count, runs } = options
  const messages = Math.min(count, 100_000)
  const ring: number[] = []
  const copy: number[] = []
  const message: number[] = []
  let sum = 0
  for (let run = 0; run < runs; run++) {
    const passed = await passRecords(count)
    sum = passed.sum
    ring.push(passed.perSecond / 1e6)
    copy.push(copyRecords(count) / 1e6)
    message.push((await sendMessages(messages)) / 1e6)
  }
  const unit = 'million records/s'
  const extra = `${count} records of ${recordBytes} bytes, two threads, closed-loop, sum ${sum}`
  return [
    { name: 'ring.one-to-one', unit, ...spread(ring), extra },
    { name: 'ring.copy-one-thread', unit, ...spread(copy), extra: 'copyWithin, no hand-over' },
    { name: 'ring.post-message', unit, ...spread(message), extra: `${messages} messages` },
  ]
}

async function passRecords(count: number): Promise<{ perSecond: number; sum: number }> {
  const memory = allocateRing(ringBytes)
  const start = (role: RingWorkerData['role']) =>
    new Worker(new URL(import.meta.url), { workerData: { role, memory, count } })
  const consumer = start('ring-consumer')
  const ended = new Promise<{ nanos: number; sum: number }>((resolve, reject) => {
    consumer.once('message', resolve)
    consumer.once('error', reject)
  })
  const producer = start('ring-producer')
  const { nanos, sum } = await ended
  await Promise.all([consumer.terminate(), producer.terminate()])
  if (sum !== (count * (count - 1)) / 2) throw new Error('ring: records were lost or repeated')
  return { perSecond: (count / nanos) * 1e9, sum }
}

function copyRecords(count: number): number {
  const bytes = new Uint8Array(new SharedArrayBuffer(ringBytes))
  const half = ringBytes >> 1
  const begin = process.hrtime.bigint()
  for (let i = 0, at = 0; i < count; i++) {
    bytes.copyWithin(half + at, at, at + recordBytes)
    at = (at + recordBytes) & (half - 1)
  }
  return (count / Number(process.hrtime.bigint() - begin)) * 1e9
}

function sendMessages(count: number): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: 'message-producer', memory: new SharedArrayBuffer(8), count },
  })
  return new Promise((resolve, reject) => {
    let received = 0
    let begin = 0n
    worker.once('error', reject)
    worker.on('message', () => {
      if (received++ === 0) begin = process.hrtime.bigint()
      if (received < count) return
      resolve(((count - 1) / Number(process.hrtime.bigint() - begin)) * 1e9)
    })
  })
}

function produce(memory: SharedArrayBuffer, count: number): void {
  const ring = new Ring(memory, 'producer')
  for (let sent = 0; sent < count; ) {
    const at = ring.tryClaim(recordBytes, 1)
    if (at < 0) {
      ring.commit()
      continue
    }
    // As a command does: some integers, some doubles, all of the record.
    const word = at >> 3
    for (let i = 1; i < recordBytes >> 3; i++) ring.f64[word + i] = sent
    if (++sent % recordsPerCommit === 0) ring.commit()
  }
  ring.commit()
}

/** Time runs from the first record that arrives: starting a thread is not part of the ring. */
function consume(memory: SharedArrayBuffer, count: number): { nanos: number; sum: number } {
  const ring = new Ring(memory, 'consumer')
  while (!ring.hasNext()) {}
  const begin = process.hrtime.bigint()
  let sum = 0
  for (let received = 0; received < count; ) {
    const at = ring.next()
    if (at < 0) {
      ring.release()
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

if (!isMainThread && isRingWorkerData(workerData)) {
  const { parentPort } = await import('node:worker_threads')
  const { role, memory, count } = workerData
  if (role === 'ring-producer') produce(memory, count)
  else if (role === 'ring-consumer') parentPort?.postMessage(consume(memory, count))
  else for (let i = 0; i < count; i++) parentPort?.postMessage(new Float64Array(recordBytes >> 3))
}

function isRingWorkerData(data: unknown): data is RingWorkerData {
  return typeof data === 'object' && data !== null && 'role' in data && 'count' in data
}
