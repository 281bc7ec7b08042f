import { type Stats, statSync } from 'node:fs'
import { NoteFileCommand } from '../../schemas/generated/commands.js'
import type { NotedFile } from '../../schemas/record-values.js'
import { commandOf, type OperatorCommand } from './operator-commands.js'
import type { OperatorSender } from './operator-port.js'

// The journal holds how long the files next to it are. A start compares them with the disk, and a running venue compares
// the file that it has open with the one that its path leads to.

/** A file that the journal knows is gone, was cut, or was replaced. */
export class LostFile extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'LostFile'
  }
}

/** The file that a path leads to, through links; null: none, or one that cannot be read. */
export function fileAt(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/**
 * Returns what is wrong with a file at a start, as the end of a sentence; null: nothing.
 * @param bytes of its whole lines.
 * @param notedBytes what the journal knows.
 */
export function lossOf(path: string, bytes: number, notedBytes: number): string | null {
  const found = fileAt(path)
  if (found === null)
    return notedBytes > 0 ? `is missing; the journal knows ${notedBytes} bytes` : null
  if (!found.isFile()) return 'is not a regular file'
  return bytes < notedBytes ? `has ${bytes} bytes; the journal knows ${notedBytes}` : null
}

/** Returns how the file at a path differs from the open one, as the end of a sentence; null: not at all. */
export function changeOf(
  path: string,
  open: Pick<Stats, 'dev' | 'ino'>,
  bytes: number,
): string | null {
  const found = fileAt(path)
  if (found === null) return 'is missing'
  if (!found.isFile()) return 'is not a regular file'
  if (found.dev !== open.dev || found.ino !== open.ino) return 'was replaced by another file'
  return found.size < bytes ? `has ${found.size} bytes; it had ${bytes}` : null
}

/** A command that has the journal note the length of a file. */
export function noteOf(file: NotedFile, bytes: number): OperatorCommand {
  return commandOf(NoteFileCommand, { file, bytes })
}

/**
 * A sender whose commands are each journaled after the length that a file has by then.
 * @param bytesNow null: the journal keeps what it knows.
 */
export function notingSender(
  sender: OperatorSender,
  file: NotedFile,
  bytesNow: () => number | null,
): OperatorSender {
  let notedBytes = -1
  return {
    send(command) {
      const bytes = bytesNow()
      if (bytes !== null && bytes !== notedBytes) {
        notedBytes = bytes
        // One that finds no room comes again with the next command.
        void sender.send(noteOf(file, bytes)).then(({ seq }) => {
          if (seq === 0) notedBytes = -1
        })
      }
      return sender.send(command)
    },
  }
}
