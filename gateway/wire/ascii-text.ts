/** True if the bytes equal an ASCII text. */
export function isText(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from !== text.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[from + i] !== text.charCodeAt(i)) return false
  return true
}
