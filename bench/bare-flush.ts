import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { spread } from './measure/bench-result.js'

/** About a batch of one order in the journal. */
export const flushBytes = 512
const flushCount = 400
const aheadBytes = 1 << 20

/**
 * Median of the bare write and fdatasync of one small batch into room that was written ahead: what a figure of
 * something that waits for the journal is held against.
 * @param directory on the disk to be measured. @returns milliseconds.
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
