import type { JournalFile, JournalFiles } from './journal-files.js'

/** Files whose flushes are timed: everything else passes through. */
export class TimedFiles implements JournalFiles {
  readonly #files: JournalFiles
  readonly #clockMillis: () => number
  readonly #onFlush: (millis: number) => void

  /** @param clockMillis a monotonic clock. */
  constructor(files: JournalFiles, clockMillis: () => number, onFlush: (millis: number) => void) {
    this.#files = files
    this.#clockMillis = clockMillis
    this.#onFlush = onFlush
  }

  list(folder: string): string[] {
    return this.#files.list(folder)
  }

  create(name: string): JournalFile {
    return this.#timed(this.#files.create(name))
  }

  open(name: string): JournalFile {
    return this.#timed(this.#files.open(name))
  }

  bytesOf(name: string): number {
    return this.#files.bytesOf(name)
  }

  read(name: string, bytesMax?: number, into?: ArrayBuffer, from?: number): Uint8Array {
    return this.#files.read(name, bytesMax, into, from)
  }

  rename(source: string, target: string): void {
    this.#files.rename(source, target)
  }

  remove(name: string): void {
    this.#files.remove(name)
  }

  syncDirectory(folder: string): void {
    this.#files.syncDirectory(folder)
  }

  #timed(file: JournalFile): JournalFile {
    return {
      write: (pieces, offset) => file.write(pieces, offset),
      flush: () => {
        const begin = this.#clockMillis()
        file.flush()
        this.#onFlush(this.#clockMillis() - begin)
      },
      truncate: (bytes) => file.truncate(bytes),
      close: () => file.close(),
    }
  }
}
