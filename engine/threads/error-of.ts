import { inspect } from 'node:util'

/**
 * Converts a thrown value to an Error with a meaningful message. An error with fields of its own can arrive from
 * another thread as a plain object, which `String` cannot print.
 */
export function errorOf(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  if (typeof thrown !== 'object' || thrown === null) return new Error(String(thrown))
  const { message, name, stack } = thrown as Partial<Error>
  if (typeof message !== 'string' || message === '') return new Error(inspect(thrown, { depth: 3 }))
  const error = new Error(message)
  if (typeof name === 'string') error.name = name
  if (typeof stack === 'string') error.stack = stack
  return error
}
