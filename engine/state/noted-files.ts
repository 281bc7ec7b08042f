import { exactBound } from '../../schemas/bounds.js'
import { type AnyCommand, NoteFileCommand } from '../../schemas/generated/commands.js'
import { NotedFile } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import type { Saved, StateReader, StateSink } from '../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../memory/state-hash.js'

const command = new NoteFileCommand()
const count = Object.keys(NotedFile).length

/**
 * Bytes that the files next to the journal are known to hold. A start compares them with the disk, so that a file that
 * disappeared, was cut, or is an older copy cannot pass for the whole one.
 */
export class NotedFiles implements Saved {
  /** By `NotedFile`. */
  readonly bytes = new Float64Array(count)
  readonly #hash: StateHash
  /** null if every number is 0. */
  #cell: HashCell | null = null

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  /** Decides a NoteFile. The operator accepts a loss with a smaller number. */
  decide(noted: AnyCommand): Result {
    const { bytes, file } = command.of(noted)
    const isKnown = file >= 0 && file < count
    if (!isKnown || !Number.isInteger(bytes) || bytes < 0 || bytes >= exactBound) {
      return Result.ValueRefused
    }
    this.bytes[file] = bytes
    this.#rehash()
    return Result.Accepted
  }

  save(sink: StateSink): void {
    for (const bytes of this.bytes) sink.f64(bytes)
  }

  /** Reads what `save` wrote. */
  load(reader: StateReader): void {
    for (let file = 0; file < count; file++) this.bytes[file] = reader.f64()
    this.#rehash()
  }

  #rehash(): void {
    if (this.bytes.some((bytes) => bytes > 0)) {
      this.#cell ??= new HashCell(HashKind.NotedFiles, this)
      this.#hash.note(this.#cell)
    } else if (this.#cell !== null) {
      this.#hash.drop(this.#cell)
      this.#cell = null
    }
  }
}
