import { isMainThread, workerData } from 'node:worker_threads'
import { runDuty, StopFlag } from '../../../engine/memory/duty.js'
import { Ring } from '../../../engine/memory/ring.js'
import { Wakeup } from '../../../engine/memory/wakeup.js'

interface EchoData {
  readonly rings: readonly SharedArrayBuffer[]
  readonly wakeups: SharedArrayBuffer
  readonly flags: SharedArrayBuffer
}

// Other thread of duty.test.ts: sends every record back, and parks when there is none.
if (!isMainThread) {
  const { rings, wakeups, flags } = workerData as EchoData
  const source = new Ring(rings[0], 'consumer')
  const target = new Ring(rings[1], 'producer')
  const requester = new Wakeup(wakeups, 0)
  const echo = {
    role: 'echo',
    onStart() {},
    doWork(): number {
      const at = source.next()
      if (at < 0) return 0
      const to = target.tryClaim(16, 1)
      target.f64[(to + 8) >> 3] = source.f64[(at + 8) >> 3]
      target.commit()
      source.release()
      requester.ring()
      return 1
    },
    onClose() {},
  }
  runDuty(echo, 'park', new Wakeup(wakeups, 1), new StopFlag(flags, 0), () => {}, 60_000)
}
