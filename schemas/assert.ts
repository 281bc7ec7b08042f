/**
 * True to run costly checks (O(n) walks): only with STRIKEBOOK_VERIFY=1, in tests, fuzzing and staging. Read once, at
 * load. A client in a browser has no environment.
 */
export const verify: boolean =
  typeof process !== 'undefined' && process.env['STRIKEBOOK_VERIFY'] === '1'

/**
 * Asserts that no bug of ours is present. Bad input is a `Result`, never an assertion.
 * @param message a literal, so that a passing assertion costs no string.
 * @throws Error if `ok` is false.
 */
export function assert(ok: boolean, message: string): asserts ok {
  if (!ok) fail(message)
}

// A separate function keeps `assert` small enough for V8 to inline it everywhere.
function fail(message: string): never {
  throw new Error(`assertion failed: ${message}`)
}
