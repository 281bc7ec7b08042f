import assert from 'node:assert/strict'
import type { JournalFile, JournalFiles } from '../../../engine/journal/journal-files.js'
import type { MemoryFiles } from '../../support/memory-files.js'

/**
 * Disk whose files may end early, for many thousands of recoveries: it copies nothing, and recovery may write only what
 * is already there.
 */
export class PrefixDisk implements JournalFiles {
  /** Current length of each file; a missing name is a missing file. */
  readonly lengths = new Map<string, number>()
  /** Names of the files cut or removed since `restore`. */
  readonly changed: string[] = []
  readonly #contents: ReadonlyMap<string, Uint8Array>

  constructor(files: MemoryFiles) {
    this.#contents = files.files
    this.restore()
  }

  /** Restores every file's whole length. */
  restore(): void {
    this.lengths.clear()
    this.changed.length = 0
    for (const [name, bytes] of this.#contents) this.lengths.set(name, bytes.length)
  }

  list(folder: string): string[] {
    return folder === '' ? [...this.lengths.keys()].sort() : []
  }

  create(name: string): JournalFile {
    throw new Error(`${name}: recovery creates no file`)
  }

  open(name: string): JournalFile {
    return {
      write: (pieces, offset) => {
        let at = offset
        for (const piece of pieces) {
          const there = this.#bytes(name).subarray(at, at + piece.length)
          assert.equal(Buffer.compare(there, piece), 0, `${name}: other bytes at ${at}`)
          at += piece.length
        }
      },
      flush: () => {},
      truncate: (bytes) => {
        assert.ok(bytes <= this.bytesOf(name), `${name}: recovery only cuts`)
        this.lengths.set(name, bytes)
        this.changed.push(name)
      },
      close: () => {},
    }
  }

  bytesOf(name: string): number {
    const bytes = this.lengths.get(name)
    assert.ok(bytes !== undefined, `${name} is missing`)
    return bytes
  }

  read(name: string, bytesMax: number = Number.POSITIVE_INFINITY): Uint8Array {
    return this.#bytes(name).subarray(0, bytesMax)
  }

  rename(source: string): void {
    throw new Error(`${source}: recovery renames no file`)
  }

  remove(name: string): void {
    assert.ok(this.lengths.delete(name), `${name} is missing`)
    this.changed.push(name)
  }

  syncDirectory(): void {}

  /** Returns everything that was ever written, whatever the current length. */
  contentOf(name: string): Uint8Array {
    const bytes = this.#contents.get(name)
    assert.ok(bytes !== undefined, `${name} is missing`)
    return bytes
  }

  #bytes(name: string): Uint8Array {
    return this.contentOf(name).subarray(0, this.bytesOf(name))
  }
}
