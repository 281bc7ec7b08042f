let latest: Uint8Array = new Uint8Array(0)
let buffer: Buffer = Buffer.alloc(0)

/**
 * The same memory as a Buffer, whose texts come of native code. Most bytes that become text are those of one ring or
 * log, so the latest one is kept: a Buffer takes longer to make than a short text.
 */
export function bufferOf(bytes: Uint8Array): Buffer {
  if (bytes !== latest) {
    latest = bytes
    buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  return buffer
}
