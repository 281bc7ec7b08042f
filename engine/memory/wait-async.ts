type WaitAsync = (
  words: Int32Array,
  index: number,
  value: number,
  millis: number,
) =>
  | { readonly async: true; readonly value: Promise<string> }
  | { readonly async: false; readonly value: string }

// Node 20 has it, but the compiler's ES2023 library does not declare it.
const atomicsWaitAsync = (Atomics as unknown as { waitAsync: WaitAsync }).waitAsync.bind(Atomics)

/** Returns a promise that resolves on a notification or after `millis`; null if the word is not `value`. */
export function waitAsync(
  words: Int32Array,
  index: number,
  value: number,
  millis: number,
): Promise<unknown> | null {
  const waiting = atomicsWaitAsync(words, index, value, millis)
  return waiting.async ? waiting.value : null
}
