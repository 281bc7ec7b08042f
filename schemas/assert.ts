/**
 * Costly checks (O(n) walks) run only with STRIKEBOOK_VERIFY=1: tests, fuzzing, staging. Read once, at load. A client in a
 * browser has no environment.
 */
export const verify: boolean =
  typeof process !== 'undefined' && process.env['STRIKEBOOK_VERIFY'] === '1'

/**
 * Names a bug of ours; bad input is a `Result`, never an assert.
 * @param message a literal, so that a passing assert costs no string.
 * @throws Error when `ok` is false.
 */
export function assert(ok: boolean, message: string): asserts ok {
  if (!ok) fail(message)
}

// A separate function keeps `assert` small enough for V8 to inline it everywhere.
function fail(message: string): never {
  throw new Error(`assertion failed: ${message}`)
}
