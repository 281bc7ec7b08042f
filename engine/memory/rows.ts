// Tables with random access. The fields of a row are adjacent, so a row costs one or two cache lines instead of one per
// field. Each field is still a column of its own: a view that starts at the field's cell. A row is identified by the
// number of its first cell, which is the index in all of its columns:
//
//   row              0 (cells 0 to 7)                 8 (cells 8 to 15)
//            +-----+-----+-----+---     ---+     +-----+-----+---
//   cells    | id  |price|size |  ...      |     | id  |price| ...
//            +-----+-----+-----+---     ---+     +-----+-----+---
//              ^ id[row]  ^ size[row]              ^ id[row + 8]
//
// Doubles, words and bytes of a row are in three such tables with the same number of cells.

/** Ends every linked list of slots. */
export const none = -1

/** Default number of cells per row: eight doubles are a cache line. */
export const rowCells = 8

/** Returns a column of doubles whose first row starts at `cell`. */
export function doublesAt(memory: ArrayBuffer, cell: number): Float64Array {
  return new Float64Array(memory, cell * 8)
}

/** Returns a column of 32-bit words. */
export function wordsAt(memory: ArrayBuffer, cell: number): Int32Array {
  return new Int32Array(memory, cell * 4)
}

/** Returns a column of bytes. */
export function bytesAt(memory: ArrayBuffer, cell: number): Uint8Array {
  return new Uint8Array(memory, cell)
}

/** Returns a new block of `bytes` bytes that starts with the contents of `before`. */
export function grownMemory(before: ArrayBuffer, bytes: number): ArrayBuffer {
  const memory = new ArrayBuffer(bytes)
  new Uint8Array(memory).set(new Uint8Array(before))
  return memory
}
