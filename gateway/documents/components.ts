import { componentSchema, type JsonSchema } from '../../schemas/interface/shape.js'

/**
 * Returns the named schemas that a part of a document refers to, directly or not. Each comes after the schemas that it
 * refers to, because some client generators write them in the order of the document.
 */
export function componentsOf(value: unknown): Readonly<Record<string, JsonSchema>> {
  const visited = new Set<string>()
  const placed: Record<string, JsonSchema> = {}
  const place = (part: unknown): void => {
    for (const name of [...namesIn(part)].sort()) {
      const schema = componentSchema(name)
      if (schema === undefined || visited.has(name)) continue
      visited.add(name)
      place(schema)
      placed[name] = schema
    }
  }
  place(value)
  return placed
}

/** Returns the names of the schemas that a part refers to directly. */
function namesIn(part: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof part !== 'object' || part === null) return names
  for (const [key, inner] of Object.entries(part)) {
    if (key === '$ref') names.add(String(inner).slice(String(inner).lastIndexOf('/') + 1))
    else namesIn(inner, names)
  }
  return names
}
