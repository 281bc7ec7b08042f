import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const pause = new Int32Array(new SharedArrayBuffer(4))
const pauseMillis = 20

/** Returns the bytes in use after full collections: of the heap, and of the heap plus buffers and other external memory. */
export function bytesInUse(): { readonly heap: number; readonly total: number } {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  // Buffers are freed some time after the collection that finds them unreachable.
  for (let before = Number.POSITIVE_INFINITY; ; Atomics.wait(pause, 0, 0, pauseMillis)) {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    const total = heapUsed + external
    if (total >= before) return { heap: heapUsed, total }
    before = total
  }
}
