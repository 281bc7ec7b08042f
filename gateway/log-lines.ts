import { writeSync } from 'node:fs'

/** Maximum wait for a slow reader of the log. */
const busyMillisMax = 1000
const busyMillis = 20
const newline = 0x0a

/**
 * Writes lines of the log immediately. Drops a line that cannot be written, so a full disk neither stops the venue nor
 * blocks its end. (The logger's own stream would throw, and its flush after a fatal line would retry forever.) The next
 * line that is written says how many are missing.
 */
export class LogLines {
  readonly #fd: number
  readonly #nap = new Int32Array(new SharedArrayBuffer(4))
  #isBroken = false
  #missing = 0

  constructor(fd: number) {
    this.#fd = fd
  }

  write(line: string): void {
    const note = this.#missing > 0 ? `${JSON.stringify(this.#note())}\n` : ''
    // The written part of a broken line must not become the beginning of this one.
    const bytes = Buffer.from(`${this.#isBroken ? '\n' : ''}${note}${line}`)
    const written = this.#writeAll(bytes)
    if (written === bytes.length) {
      this.#isBroken = false
      this.#missing = 0
      return
    }
    if (written > 0) this.#isBroken = bytes[written - 1] !== newline
    this.#missing++
  }

  #note() {
    const msg = `${this.#missing} log lines could not be written`
    return { level: 40, time: Date.now(), pid: process.pid, missing: this.#missing, msg }
  }

  /** @returns the number of bytes written; fewer than given if the rest cannot be written. */
  #writeAll(bytes: Buffer): number {
    let written = 0
    for (let waited = 0; written < bytes.length && waited < busyMillisMax; ) {
      try {
        written += writeSync(this.#fd, bytes, written)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return written
        Atomics.wait(this.#nap, 0, 0, busyMillis)
        waited += busyMillis
      }
    }
    return written
  }
}
