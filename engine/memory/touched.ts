/** Size of the smallest pages that a kernel uses. */
const pageBytes = 4096

/**
 * Writes to every page of the memory without changing its contents, so that all of it is resident from now on. Use
 * it for tables and rings that fill sooner or later: the process then shows its final size from the start. No other
 * thread may write to the memory during the call.
 */
export function touched<T extends ArrayBufferView>(view: T): T {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  for (let at = 0; at < bytes.length; at += pageBytes) bytes[at] |= 0
  return view
}
