import type { JournalFile, JournalFiles } from './journal-files.js'

/** Files whose flushes are timed, with what was written since the one before: everything else passes through. */
export class TimedFiles implements JournalFiles {
  readonly #files: JournalFiles
  readonly #clockMillis: () => number
  readonly #onFlush: (writeMillis: number, flushMillis: number) => void

  /** @param clockMillis a monotonic clock. */
  constructor(
    files: JournalFiles,
    clockMillis: () => number,
    onFlush: (writeMillis: number, flushMillis: number) => void,
  ) {
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
    let writeMillis = 0
    return {
      write: (pieces, offset) => {
        const begin = this.#clockMillis()
        file.write(pieces, offset)
        writeMillis += this.#clockMillis() - begin
      },
      flush: () => {
        const begin = this.#clockMillis()
        file.flush()
        this.#onFlush(writeMillis, this.#clockMillis() - begin)
        writeMillis = 0
      },
      truncate: (bytes) => file.truncate(bytes),
      close: () => file.close(),
    }
  }
}
