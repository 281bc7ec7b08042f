/** Byte source with its first offset. */
export interface ReadableLines {
  readonly begin: number
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly buffer: Buffer; readonly bytesRead: number }>
}

/** Line of a file, without its end, and its offset. */
export interface PlacedLine {
  readonly at: number
  readonly text: string
}

const chunkBytes = 64 * 1024
const lineFeed = 0x0a

/** Iterates over the lines of a file before a line boundary, last one first. */
export async function* linesBackward(file: ReadableLines, end: number): AsyncGenerator<PlacedLine> {
  // Bytes read and not yet yielded: the lines from `start` on; the first one may lack its beginning.
  let read = Buffer.alloc(0)
  let start = end
  while (start > file.begin) {
    const bytes = Math.min(chunkBytes, start - file.begin)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, start - bytes)
    if (bytesRead < bytes) throw new Error('the file has become shorter')
    start -= bytes
    read = Buffer.concat([buffer, read])
    // The last byte ends the last line.
    for (let at = lastLineAt(read); at >= 0; at = lastLineAt(read)) {
      yield { at: start + at, text: read.toString('utf8', at, read.length - 1) }
      read = read.subarray(0, at)
    }
  }
  if (read.length > 0) yield { at: start, text: read.toString('utf8', 0, read.length - 1) }
}

/** Returns the end of the last complete line. @param size Size of the file. */
export async function wholeBytesOf(file: ReadableLines, size: number): Promise<number> {
  for (let end = size; end > file.begin; ) {
    const bytes = Math.min(chunkBytes, end - file.begin)
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, end - bytes)
    const at = buffer.lastIndexOf(lineFeed)
    if (at >= 0) return end - bytes + at + 1
    end -= bytes
  }
  return file.begin
}

/** Returns the start of the last line, or -1 if the buffer does not contain it. */
function lastLineAt(lines: Buffer): number {
  return lines.length < 2 ? -1 : lines.lastIndexOf(lineFeed, lines.length - 2) + 1 || -1
}
