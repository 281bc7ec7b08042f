import type { FileHandle } from 'node:fs/promises'

type Readable = Pick<FileHandle, 'read'>

/** A line of a file, without its end, and where it begins. */
export interface PlacedLine {
  readonly at: number
  readonly text: string
}

const chunkBytes = 64 * 1024
const lineFeed = 0x0a

/** Lines of a file before one of their borders, the last one first. */
export async function* linesBackward(file: Readable, end: number): AsyncGenerator<PlacedLine> {
  // What is read and not yet told: the lines from `start` on, the first one perhaps without its head.
  let read = Buffer.alloc(0)
  let start = end
  while (start > 0) {
    const bytes = Math.min(chunkBytes, start)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, start - bytes)
    if (bytesRead < bytes) throw new Error('the file has become shorter')
    start -= bytes
    read = Buffer.concat([buffer, read])
    // The last byte ends the last line.
    for (let at = headOf(read); at >= 0; at = headOf(read)) {
      yield { at: start + at, text: read.toString('utf8', at, read.length - 1) }
      read = read.subarray(0, at)
    }
  }
  if (read.length > 0) yield { at: 0, text: read.toString('utf8', 0, read.length - 1) }
}

/** Bytes of the lines of a file that have their ends. */
export async function wholeBytesOf(file: Readable, size: number): Promise<number> {
  for (let end = size; end > 0; ) {
    const bytes = Math.min(chunkBytes, end)
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, end - bytes)
    const at = buffer.lastIndexOf(lineFeed)
    if (at >= 0) return end - bytes + at + 1
    end -= bytes
  }
  return 0
}

/** Where the last line begins, or -1 when its head is not there. */
function headOf(lines: Buffer): number {
  return lines.length < 2 ? -1 : lines.lastIndexOf(lineFeed, lines.length - 2) + 1 || -1
}
