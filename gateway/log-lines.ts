import { writeSync } from 'node:fs'

/** How long somebody who reads the log slowly is waited for. */
const busyMillisMax = 1000
const busyMillis = 20
const newline = 0x0a

/**
 * The lines of the log, written at once. One that cannot be written is left out: a full disk under the log stops nothing,
 * and keeps nobody from stopping. (The stream that comes with the logger throws then, and its flush behind a fatal line
 * tries for ever.) The next one that can be written says how many are missing.
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
    // What stands of a line that broke off is not the begin of this one.
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

  /** @returns bytes written; fewer than there are when the rest cannot be. */
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
