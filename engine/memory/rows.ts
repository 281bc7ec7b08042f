// Tables that are read at random: the fields of a row lie side by side, so that a row costs a cache line or two,
// and not one per field. Every field is still a column of its own, a view that begins at the field's cell; a row is
// named by the number of its first cell, which is the index in all of its columns:
//
//   row              0 (cells 0 to 7)                 8 (cells 8 to 15)
//            +-----+-----+-----+---     ---+     +-----+-----+---
//   cells    | id  |price|size |  ...      |     | id  |price| ...
//            +-----+-----+-----+---     ---+     +-----+-----+---
//              ^ id[row]  ^ size[row]              ^ id[row + 8]
//
// Doubles, words and bytes of one row lie in three such tables with equally many cells.

/** Ends every linked list of slots. */
export const none = -1

/** Cells per row where a table says nothing else: eight doubles are a cache line. */
export const rowCells = 8

/** Column of doubles whose first row stands at `cell`. */
export function doublesAt(memory: ArrayBuffer, cell: number): Float64Array {
  return new Float64Array(memory, cell * 8)
}

/** Column of 32-bit words. */
export function wordsAt(memory: ArrayBuffer, cell: number): Int32Array {
  return new Int32Array(memory, cell * 4)
}

/** Column of bytes. */
export function bytesAt(memory: ArrayBuffer, cell: number): Uint8Array {
  return new Uint8Array(memory, cell)
}

/** Memory of so many bytes that begins with what `before` holds. */
export function grownMemory(before: ArrayBuffer, bytes: number): ArrayBuffer {
  const memory = new ArrayBuffer(bytes)
  new Uint8Array(memory).set(new Uint8Array(before))
  return memory
}
