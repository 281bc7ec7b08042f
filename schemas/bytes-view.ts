let latest: Uint8Array = new Uint8Array(0)
/** Made with the first use: a client in a browser has no Buffer, and asks for none. */
let buffer: Buffer | null = null

/**
 * The same memory as a Buffer, whose texts come of native code. Most bytes that become text are those of one ring or
 * log, so the latest one is kept: a Buffer takes longer to make than a short text.
 */
export function bufferOf(bytes: Uint8Array): Buffer {
  if (buffer === null || bytes !== latest) {
    latest = bytes
    buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  return buffer
}
