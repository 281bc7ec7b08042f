import { type Stats, statSync } from 'node:fs'
import { NoteFileCommand } from '../../schemas/generated/commands.js'
import type { NotedFile } from '../../schemas/record-values.js'
import { commandOf, type OperatorCommand } from './operator-commands.js'
import type { OperatorSender } from './operator-port.js'

// The journal records the lengths of the files next to it. A start compares them with the disk, and a running venue
// compares its open file with the one at the path.

/** A file recorded in the journal is missing, truncated or replaced. */
export class LostFile extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'LostFile'
  }
}

/** Returns the status of the file at a path, through links; null if it is missing or unreadable. */
export function fileAt(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/**
 * Returns the fault of a file at a start, as the end of a sentence; null if it is intact.
 * @param bytes Length of its complete lines.
 * @param notedBytes Length according to the journal.
 */
export function lossOf(path: string, bytes: number, notedBytes: number): string | null {
  const found = fileAt(path)
  if (found === null)
    return notedBytes > 0 ? `is missing; the journal knows ${notedBytes} bytes` : null
  if (!found.isFile()) return 'is not a regular file'
  return bytes < notedBytes ? `has ${bytes} bytes; the journal knows ${notedBytes}` : null
}

/** Returns how the file at a path differs from the open one, as the end of a sentence; null if it does not. */
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

/** Returns the command that records the length of a file in the journal. */
export function noteOf(file: NotedFile, bytes: number): OperatorCommand {
  return commandOf(NoteFileCommand, { file, bytes })
}

/**
 * Wraps a sender so that the journal records a file's length before each command.
 * @param bytesNow Null: leaves the recorded length as it is.
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
        // If it found no room, the next command sends it again.
        void sender.send(noteOf(file, bytes)).then(({ seq }) => {
          if (seq === 0) notedBytes = -1
        })
      }
      return sender.send(command)
    },
  }
}
