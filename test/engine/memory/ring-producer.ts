import { isMainThread, workerData } from 'node:worker_threads'
import { Ring } from '../../../engine/memory/ring.js'

// Other thread of ring.test.ts: sends records of varying length, every word of which names its record.
if (!isMainThread) {
  const { memory, count } = workerData as { memory: SharedArrayBuffer; count: number }
  const ring = new Ring(memory, 'producer')
  const idle = new Int32Array(new SharedArrayBuffer(4))
  for (let sent = 0; sent < count; ) {
    const bytes = 16 + 8 * (sent % 13)
    const at = ring.tryClaim(bytes, 1)
    if (at < 0) {
      ring.commit()
      Atomics.wait(idle, 0, 0, 0.01)
      continue
    }
    for (let i = 8; i < bytes; i += 8) ring.f64[(at + i) >> 3] = sent + i
    sent++
    if ((sent & 31) === 0) ring.commit()
  }
  ring.commit()
}
