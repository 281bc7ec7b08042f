// A served document without its words, to compare two builds: operations, fields, types, bounds and codes.

/** Keys whose values are for people only. */
const wordKeys = new Set([
  ...['description', 'summary', 'title', 'example', 'examples', 'externalDocs'],
  ...['when', 'then', 'on_subscribe'],
])
/** Keys of maps by name: a field of theirs may have the name of a word key. */
const mapKeys = new Set([
  ...['properties', 'patternProperties', '$defs', 'schemas', 'messages', 'responses', 'headers'],
  ...['parameters', 'paths', 'channels', 'operations', 'securitySchemes', 'content'],
])
/** Keys whose texts mean something to a program, even if they have spaces. */
const codeKeys = new Set(['of', 'signed_by', 'reason', 'pattern', 'const', 'default', 'enum'])
/** Lists in which the order means nothing. */
const setKeys = new Set(['required', 'enum', 'tags', 'parameters'])

/** Returns the document without words. Keys are sorted; of a text elsewhere only its presence is left. */
export function bareDocument(document: unknown): unknown {
  return bare(document, '', false)
}

function bare(value: unknown, key: string, isMap: boolean): unknown {
  if (typeof value === 'string') return value.includes(' ') && !codeKeys.has(key) ? '...' : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => bare(item, key, false))
    return setKeys.has(key) ? items.sort(byText) : items
  }
  const entries = Object.entries(value).filter(([name]) => isMap || !wordKeys.has(name))
  const sorted = entries.sort(([one], [other]) => (one < other ? -1 : 1))
  const isNamed = (name: string) => !isMap && mapKeys.has(name)
  return Object.fromEntries(sorted.map(([name, part]) => [name, bare(part, name, isNamed(name))]))
}

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}
