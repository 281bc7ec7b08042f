/** Copies `count` bytes. For short runs in the hot path, where a subarray would cost an object. */
export function copyBytes(
  source: Uint8Array,
  from: number,
  target: Uint8Array,
  to: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) target[to + i] = source[from + i]
}

/** Copies `count` 32-bit words: a quarter of the steps if both sides are aligned. */
export function copyWords(
  source: Int32Array,
  from: number,
  target: Int32Array,
  to: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) target[to + i] = source[from + i]
}

export function areBytesEqual(
  a: Uint8Array,
  aAt: number,
  b: Uint8Array,
  bAt: number,
  count: number,
): boolean {
  for (let i = 0; i < count; i++) if (a[aAt + i] !== b[bAt + i]) return false
  return true
}
