/** Of the smallest pages that a kernel gives. */
const pageBytes = 4096

/**
 * Writes to every page of the memory and leaves its contents as they are: from here on all of it is resident,
 * and not only when it is used for the first time. For tables and rings that are filled sooner or later in any
 * case: what a process takes is then seen at its start. Nobody else may write to the memory meanwhile.
 */
export function touched<T extends ArrayBufferView>(view: T): T {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  for (let at = 0; at < bytes.length; at += pageBytes) bytes[at] |= 0
  return view
}
