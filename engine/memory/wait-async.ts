type WaitAsync = (
  words: Int32Array,
  index: number,
  value: number,
  millis: number,
) =>
  | { readonly async: true; readonly value: Promise<string> }
  | { readonly async: false; readonly value: string }

// Node 20 has it; the compiler's ES2023 library does not list it.
const atomicsWaitAsync = (Atomics as unknown as { waitAsync: WaitAsync }).waitAsync.bind(Atomics)

/** A promise of being notified while the word is `value` (or of `millis`); null when it is another one already. */
export function waitAsync(
  words: Int32Array,
  index: number,
  value: number,
  millis: number,
): Promise<unknown> | null {
  const waiting = atomicsWaitAsync(words, index, value, millis)
  return waiting.async ? waiting.value : null
}
