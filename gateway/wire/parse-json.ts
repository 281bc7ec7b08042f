import { Result } from '../../schemas/results.js'
import { Fault } from './fault.js'
import { JsonByte, malformed, skipBlanks, skipValue, stringStop } from './json-scan.js'

const { quote, comma, colon, openBrace, closeBrace, openBracket, closeBracket } = JsonByte

/** Parses a JSON text. @returns The value, or `InvalidJson` with the position of the first error. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return invalidJson(bytes)
  }
}

/**
 * Returns `InvalidJson` with line and column of the first error, the character there, and what is allowed.
 * @param bytes Text that a JSON parser rejects.
 * @param depthMax Maximum nesting that the parser accepts.
 */
export function invalidJson(bytes: Buffer, depthMax = Number.POSITIVE_INFINITY): Fault {
  const { at, allowed } = new ErrorSearch(bytes, depthMax)
  let line = 1
  let lineAt = 0
  for (let i = 0; i < at; i++) {
    if (bytes[i] !== lineFeed) continue
    line++
    lineAt = i + 1
  }
  const place = `line ${line}, column ${bytes.toString('utf8', lineAt, at).length + 1}`
  const message = `Invalid JSON at ${place}: found ${foundAt(bytes, at)}, expected ${allowed}`
  return new Fault(Result.InvalidJson, {}, message)
}

/** Returns `InvalidJson` for bytes that are not text. */
export function notUtf8(): Fault {
  return new Fault(Result.InvalidJson, {}, 'Invalid JSON: the bytes are not UTF-8')
}

/** Describes one character; more of the text might be a secret. */
function foundAt(bytes: Buffer, at: number): string {
  const code = bytes.toString('utf8', at, at + utf8BytesPerCharMax).codePointAt(0)
  if (code === undefined) return 'the end'
  if (code === 0x0a || code === 0x0d) return 'a line break'
  if (code === 0x27) return 'an apostrophe'
  if (code >= 0x20 && code < 0x7f) return `'${String.fromCharCode(code)}'`
  return `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

const lineFeed = 0x0a
const utf8BytesPerCharMax = 4
const allowedAt = {
  value: 'a value',
  firstItem: "a value or ']'",
  name: 'a name in double quotes',
  firstName: "a name in double quotes or '}'",
  colon: "':'",
  nextMember: "',' or '}'",
  nextItem: "',' or ']'",
  end: 'the end',
} as const
type Step = keyof typeof allowedAt

function isNumberStart(byte: number | undefined): boolean {
  return byte !== undefined && '-0123456789'.includes(String.fromCharCode(byte))
}

/** Reads a text as a parser would, up to the position where it cannot continue. */
class ErrorSearch {
  at = 0
  allowed = ''
  readonly #bytes: Uint8Array
  readonly #depthMax: number
  /** Opening bytes of the enclosing objects and lists. */
  readonly #open: number[] = []
  #step: Step = 'value'

  constructor(bytes: Uint8Array, depthMax: number) {
    this.#bytes = bytes
    this.#depthMax = depthMax
    while (this.#readToken()) {}
  }

  /** Returns false at the error. */
  #readToken(): boolean {
    this.at = skipBlanks(this.#bytes, this.at)
    const step = this.#step
    const byte = this.#bytes[this.at]
    this.allowed = allowedAt[step]
    switch (step) {
      case 'value':
      case 'firstItem':
        return this.#readValue(byte, step === 'firstItem')
      case 'name':
      case 'firstName':
        if (byte === closeBrace && step === 'firstName') return this.#close()
        return byte === quote && this.#readString('colon')
      case 'colon':
        return byte === colon && this.#pass('value')
      case 'nextMember':
        return byte === comma ? this.#pass('name') : byte === closeBrace && this.#close()
      case 'nextItem':
        return byte === comma ? this.#pass('value') : byte === closeBracket && this.#close()
      case 'end':
        return false
    }
  }

  #readValue(byte: number | undefined, isFirst: boolean): boolean {
    if (byte === quote) return this.#readString(this.#afterValue())
    if (byte === closeBracket && isFirst) return this.#close()
    if (byte === openBrace || byte === openBracket) {
      if (this.#open.length === this.#depthMax) {
        this.allowed = `at most ${this.#depthMax} nested objects and lists`
        return false
      }
      this.#open.push(byte)
      return this.#pass(byte === openBrace ? 'firstName' : 'firstItem')
    }
    const end = skipValue(this.#bytes, this.at)
    if (end === malformed) {
      if (isNumberStart(byte)) this.allowed = 'a number such as 0.5 or -2e3'
      return false
    }
    this.at = end
    this.#step = this.#afterValue()
    return true
  }

  #readString(next: Step): boolean {
    this.at = stringStop(this.#bytes, this.at + 1)
    const byte = this.#bytes[this.at]
    if (byte === quote) return this.#pass(next)
    this.allowed = byte === undefined ? 'a closing double quote' : 'an escape such as \\n'
    return false
  }

  #close(): boolean {
    this.#open.pop()
    return this.#pass(this.#afterValue())
  }

  #afterValue(): Step {
    const open = this.#open.at(-1)
    if (open === undefined) return 'end'
    return open === openBrace ? 'nextMember' : 'nextItem'
  }

  #pass(next: Step): boolean {
    this.at++
    this.#step = next
    return true
  }
}
