import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { spread } from './measure/bench-result.js'

/** Approximate length of a journal batch with one order. */
export const flushBytes = 512
const flushCount = 400
const aheadBytes = 1 << 20

/**
 * Measures a bare write and fdatasync of one small batch into preallocated space, as the reference for figures that
 * include the journal.
 * @param directory folder on the disk to measure. @returns the median in milliseconds.
 */
export function bareFlushMillis(directory: string): number {
  const folder = mkdtempSync(join(directory, 'strikebook-flush-bench-'))
  try {
    const fd = openSync(join(folder, 'raw'), 'wx+')
    const bytes = new Uint8Array(flushBytes).fill(1)
    writeSync(fd, new Uint8Array(aheadBytes))
    fdatasyncSync(fd)
    const millis = Array.from({ length: flushCount }, (_, i) => {
      const begin = performance.now()
      writeSync(fd, bytes, 0, flushBytes, i * flushBytes)
      fdatasyncSync(fd)
      return performance.now() - begin
    })
    closeSync(fd)
    return spread(millis).value
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
