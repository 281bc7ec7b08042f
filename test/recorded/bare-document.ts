// Strips the words of a served document. Operations, fields, types, bounds and codes stay, to compare two builds.

/** Keys whose values only people read. */
const wordKeys = new Set([
  ...['description', 'summary', 'title', 'example', 'examples', 'externalDocs'],
  ...['when', 'then', 'on_subscribe'],
])
/** Keys of maps by name. A name in such a map may equal a word key. */
const mapKeys = new Set([
  ...['properties', 'patternProperties', '$defs', 'schemas', 'messages', 'responses', 'headers'],
  ...['parameters', 'paths', 'channels', 'operations', 'securitySchemes', 'content'],
])
/** Keys whose texts matter to programs, even with spaces. */
const codeKeys = new Set(['of', 'signed_by', 'reason', 'pattern', 'const', 'default', 'enum'])
/** Lists without a meaningful order. */
const setKeys = new Set(['required', 'enum', 'tags', 'parameters'])

/** Returns the document without words and with sorted keys. A placeholder replaces every other text. */
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
