/** JSON text that is written as it stands: rows encoded once, numbers that are already text. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What `encodeJson` takes; a property of value `undefined` is left out. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | RawJson
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined }

const exponentForm = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

/**
 * JSON text in which no number has an exponent, which `JSON.stringify` would write below 1e-6.
 * @see rest-and-signing.md 2.4, "Output decimals"
 */
export function encodeJson(value: JsonValue): string {
  if (typeof value === 'number') return formatNumber(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`
  let text = ''
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${encodeJson(member)}`
  }
  return `{${text}}`
}

/**
 * Shortest decimal text of a double, without an exponent; 0 for -0, `null` for what is no number.
 */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  const text = String(value)
  const match = exponentForm.exec(text)
  if (match === null) return text
  const [, sign, whole, fraction = '', exponentText] = match
  const exponent = Number(exponentText)
  const digits = `${whole}${fraction}`
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  return `${sign}${digits.padEnd(exponent + 1, '0')}`
}
