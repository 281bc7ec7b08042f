/** A row of bytes that begins somewhere. */
export interface ReadableLines {
  readonly begin: number
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly buffer: Buffer; readonly bytesRead: number }>
}

/** A line of a file, without its end, and where it begins. */
export interface PlacedLine {
  readonly at: number
  readonly text: string
}

const chunkBytes = 64 * 1024
const lineFeed = 0x0a

/** Lines of a file before one of their borders, the last one first. */
export async function* linesBackward(file: ReadableLines, end: number): AsyncGenerator<PlacedLine> {
  // What is read and not yet told: the lines from `start` on, the first one perhaps without its head.
  let read = Buffer.alloc(0)
  let start = end
  while (start > file.begin) {
    const bytes = Math.min(chunkBytes, start - file.begin)
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
  if (read.length > 0) yield { at: start, text: read.toString('utf8', 0, read.length - 1) }
}

/** Where the last line of a file ends that has its end. @param size where the file ends. */
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

/** Where the last line begins, or -1 when its head is not there. */
function headOf(lines: Buffer): number {
  return lines.length < 2 ? -1 : lines.lastIndexOf(lineFeed, lines.length - 2) + 1 || -1
}
