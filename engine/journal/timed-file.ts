import type { JournalFile } from './journal-files.js'

/**
 * Wraps a file and reports the time of each flush, and of the writes since the previous one.
 * @param clockMillis a monotonic clock.
 */
export function timedFile(
  file: JournalFile,
  clockMillis: () => number,
  onFlush: (writeMillis: number, flushMillis: number) => void,
): JournalFile {
  let writeMillis = 0
  return {
    write: (pieces, offset) => {
      const begin = clockMillis()
      file.write(pieces, offset)
      writeMillis += clockMillis() - begin
    },
    flush: () => {
      const begin = clockMillis()
      file.flush()
      onFlush(writeMillis, clockMillis() - begin)
      writeMillis = 0
    },
    truncate: (bytes) => file.truncate(bytes),
    close: () => file.close(),
  }
}
