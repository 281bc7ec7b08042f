import type { JsonSchema } from '../../schemas/interface/shape.js'

const compiled = new Map<unknown, RegExp>()

/** Returns the pattern of a schema, compiled once. */
export function patternOf({ pattern }: JsonSchema): RegExp {
  let found = compiled.get(pattern)
  if (found === undefined) {
    found = new RegExp(String(pattern))
    compiled.set(pattern, found)
  }
  return found
}
