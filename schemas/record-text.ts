import { bufferOf } from './bytes-view.js'

// ASCII texts in records.

/** Reads NUL-padded text. Allocates an object per call, so not for the order path. */
export function readText(source: Uint8Array, at: number, bytesMax: number): string {
  let bytes = 0
  while (bytes < bytesMax && source[at + bytes] !== 0) bytes++
  return bufferOf(source).toString('latin1', at, at + bytes)
}

/** Writes text, NUL-padded to `bytesMax`. */
export function writeText(text: string, target: Uint8Array, at: number, bytesMax: number): void {
  for (let i = 0; i < bytesMax; i++) target[at + i] = i < text.length ? text.charCodeAt(i) : 0
}
