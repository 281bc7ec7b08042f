import assert from 'node:assert/strict'
import type { JournalFile, JournalFiles } from '../../engine/journal/journal-files.js'

/** Disk in memory that logs its calls and fails on demand. */
export class MemoryFiles implements JournalFiles {
  readonly files = new Map<string, Uint8Array>()
  readonly calls: string[] = []
  /** Called before each operation on a file's content; may throw. */
  beforeCall: (operation: string, name: string) => void = () => {}

  list(folder: string): string[] {
    const prefix = folder === '' ? '' : `${folder}/`
    return [...this.files.keys()]
      .filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/'))
      .map((name) => name.slice(prefix.length))
      .sort()
  }

  create(name: string): JournalFile {
    assert.ok(!this.files.has(name), `${name} exists`)
    this.record('create', name)
    this.files.set(name, new Uint8Array(0))
    return this.open(name)
  }

  open(name: string): JournalFile {
    this.contentOf(name)
    return {
      write: (pieces, offset) => {
        this.record('write', name)
        for (const [index, piece] of pieces.entries()) {
          const before = pieces.slice(0, index).reduce((sum, each) => sum + each.length, 0)
          this.#writeAt(name, offset + before, piece)
        }
      },
      flush: () => this.record('flush', name),
      truncate: (bytes) => {
        this.record('truncate', name)
        const longer = new Uint8Array(bytes)
        longer.set(this.contentOf(name).subarray(0, bytes))
        this.files.set(name, longer)
      },
      close: () => this.record('close', name),
    }
  }

  bytesOf(name: string): number {
    return this.contentOf(name).length
  }

  read(
    name: string,
    bytesMax: number = Number.POSITIVE_INFINITY,
    _into?: ArrayBuffer,
    from = 0,
  ): Uint8Array {
    return this.contentOf(name).slice(from, Math.min(from + bytesMax, this.bytesOf(name)))
  }

  rename(source: string, target: string): void {
    this.record('rename', source)
    this.files.set(target, this.contentOf(source))
    this.files.delete(source)
  }

  remove(name: string): void {
    this.record('remove', name)
    assert.ok(this.files.delete(name), `${name} is missing`)
  }

  syncDirectory(folder: string): void {
    this.record('syncDirectory', folder)
  }

  contentOf(name: string): Uint8Array {
    const bytes = this.files.get(name)
    if (bytes === undefined) {
      throw Object.assign(new Error(`${name} is missing`), { code: 'ENOENT' })
    }
    return bytes
  }

  /** Returns an independent copy, for tests that damage it. */
  copy(): MemoryFiles {
    const copy = new MemoryFiles()
    for (const [name, bytes] of this.files) copy.files.set(name, bytes.slice())
    return copy
  }

  record(operation: string, name: string): void {
    this.beforeCall(operation, name)
    this.calls.push(`${operation} ${name}`.trim())
  }

  #writeAt(name: string, offset: number, piece: Uint8Array): void {
    const old = this.contentOf(name)
    const bytes = new Uint8Array(Math.max(old.length, offset + piece.length))
    bytes.set(old)
    bytes.set(piece, offset)
    this.files.set(name, bytes)
  }
}
