let latest: Uint8Array = new Uint8Array(0)
/** Created on first use: a client in a browser has no Buffer and needs none. */
let buffer: Buffer | null = null

/**
 * Returns the same memory as a Buffer, which decodes text in native code. The latest Buffer is cached, because most
 * texts come from one ring or log and a Buffer costs more than a short text.
 */
export function bufferOf(bytes: Uint8Array): Buffer {
  if (buffer === null || bytes !== latest) {
    latest = bytes
    buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  return buffer
}
