import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type OperatorScope, operatorScopes } from '../../schemas/interface/operator.js'
import { bearerToken } from '../wire/bearer-token.js'
import { hasScope, type OperatorIdentity } from './operator-scopes.js'

interface TokenRow {
  readonly identity: OperatorIdentity
  /** SHA-256 of the token's text. */
  readonly hash: Buffer
  /** True if the token has the form that `newToken` generates. */
  readonly isGenerated: boolean
}

export interface TokensFile {
  readonly path: string
  /** Called after the file changed, with its fault or null. */
  readonly onChange: (fault: string | null, identities: number) => void
  readonly pollMillis?: number
}

/** Identity of the configured token. */
export const ownIdentity: OperatorIdentity = { name: 'operator', scopes: ['all'] }
const tokenPrefix = 'sbk_'
const tokenBytes = 32
const tokenPattern = /^sbk_[A-Za-z0-9_-]{43}$/
const namePattern = /^[a-z][a-z0-9_.-]{0,31}$/
const hashPattern = /^sha256:[0-9a-f]{64}$/
const rowsMax = 1000
const writableByOthers = 0o022
const pollMillisDefault = 1000

/**
 * Tokens of the operator interface, by their hashes, and their identities.
 *
 * A token is 256 random bits, so that one SHA-256 is enough: a slow, salted hash only protects what can be guessed, and
 * would let strangers keep this thread busy. Each presented token is compared with every row, in the same time wherever
 * it matches.
 */
export class OperatorTokens {
  readonly #own: readonly TokenRow[]
  readonly #file: TokensFile | null
  #rows: readonly TokenRow[] = []
  #pollTimer: NodeJS.Timeout | null = null
  /** Version of the file when it was last read. */
  #seen = ''

  /**
   * @param own Token of the identity `operator`, which has all scopes; '' if there is none.
   * @throws Error with the fault of the file.
   */
  constructor(own: string, file: TokensFile | null = null) {
    this.#own = own === '' ? [] : [{ identity: ownIdentity, hash: hashOf(own), isGenerated: false }]
    this.#file = file
    if (file === null) return
    // Before reading: a change in between then causes another read.
    this.#seen = versionOf(file.path)
    this.#rows = this.#read(file.path)
    this.#pollTimer = setInterval(
      () => this.#refresh(),
      file.pollMillis ?? pollMillisDefault,
    ).unref()
  }

  /** True if tokens are possible at all. */
  get isOpen(): boolean {
    return this.#own.length > 0 || this.#file !== null
  }

  /**
   * Returns the identity of an `Authorization` header, or null. A token removed from the file stops working
   * immediately.
   */
  identityOf(authorization: string): OperatorIdentity | null {
    const token = bearerToken(authorization)
    if (token === null) return null
    this.#refresh()
    const hash = hashOf(token)
    const isGenerated = tokenPattern.test(token)
    let found: OperatorIdentity | null = null
    for (const row of [...this.#own, ...this.#rows]) {
      // Rejects a row with the hash of a hand-made token, which could be guessed.
      if (timingSafeEqual(row.hash, hash) && (isGenerated || !row.isGenerated)) found = row.identity
    }
    return found
  }

  /** Returns the identities that have a token with this scope. */
  namesWith(scope: OperatorScope): readonly string[] {
    this.#refresh()
    const rows = [...this.#own, ...this.#rows].filter(({ identity }) => hasScope(identity, scope))
    return [...new Set(rows.map(({ identity }) => identity.name))]
  }

  close(): void {
    if (this.#pollTimer !== null) clearInterval(this.#pollTimer)
  }

  #read(path: string): readonly TokenRow[] {
    const status = statSync(path, { throwIfNoEntry: false })
    if (status === undefined) throw new Error(`operator.tokensFile: no file at ${resolve(path)}`)
    if ((status.mode & writableByOthers) !== 0) {
      throw new Error(`${path}: only its owner may have write permission (chmod go-w)`)
    }
    const rows = parseTokens(readFileSync(path, 'utf8'), path)
    const own = rows.find(({ hash }) => this.#own[0]?.hash.equals(hash))
    if (own === undefined) return rows
    throw new Error(
      `${path}: the token of ${own.identity.name} is also operator.token; use another one`,
    )
  }

  #refresh(): void {
    if (this.#file === null) return
    const { path, onChange } = this.#file
    const version = versionOf(path)
    if (version === this.#seen) return
    this.#seen = version
    try {
      this.#rows = this.#read(path)
      onChange(null, new Set(this.#rows.map(({ identity }) => identity.name)).size)
    } catch (error) {
      onChange(error instanceof Error ? error.message : String(error), this.#rows.length)
    }
  }
}

/** Returns a text that changes whenever the file is written or replaced. */
function versionOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch {
    return '' // the reader reports the error
  }
}

/** Generates a token, and its line of a tokens file. */
export function newToken(name: string, scopes: readonly OperatorScope[]) {
  const token = `${tokenPrefix}${randomBytes(tokenBytes).toString('base64url')}`
  return { token, line: `${name} ${scopes.join(',')} sha256:${hashOf(token).toString('hex')}` }
}

/** Parses scopes such as `read,halts`. Returns the fault as text. */
export function parseScopes(text: string): readonly OperatorScope[] | string {
  const names = text.split(',')
  const unknown = names.find((name) => !(operatorScopes as readonly string[]).includes(name))
  if (unknown !== undefined) return `scope ${unknown}: ${operatorScopes.join(', ')}`
  return [...new Set(names as OperatorScope[])]
}

/** Returns the fault of an identity's name, or null. */
export function nameFault(name: string): string | null {
  if (name === ownIdentity.name) return `identity ${name}: that is who has operator.token`
  if (namePattern.test(name)) return null
  return `identity ${name}: a small letter, then up to 31 of a-z 0-9 _ . -`
}

/** Masks everything that may be a token in a text. */
export function withoutTokens(text: string): string {
  return text.replace(/sbk_[A-Za-z0-9_-]{20,}/g, '***')
}

/**
 * @throws Error that names the line.
 */
function parseTokens(text: string, path: string): readonly TokenRow[] {
  const rows: TokenRow[] = []
  const owners = new Map<string, number>()
  for (const [index, line] of text.split('\n').entries()) {
    const words = line.replace(/#.*/, '').trim().split(/\s+/)
    if (words[0] === '') continue
    const row = rowOf(words)
    const fault = typeof row === 'string' ? row : faultAmong(row, owners, rows.length)
    if (fault !== null) throw new Error(`${path}: line ${index + 1}: ${fault}`)
    owners.set((row as TokenRow).hash.toString('hex'), index + 1)
    rows.push(row as TokenRow)
  }
  return rows
}

/**
 * @returns The row, or a fault that repeats no word of the line, because a token may be there by mistake.
 */
function rowOf(words: readonly string[]): TokenRow | string {
  const [name = '', scopesText = '', hashText = ''] = words
  if (words.length !== 3) return 'write <identity> <scopes> sha256:<64 hexadecimal digits>'
  if (words.some((word) => withoutTokens(word) !== word))
    return 'the line has a token instead of its hash'
  const fault = nameFault(name)
  if (fault !== null) return fault
  const scopes = parseScopes(scopesText)
  if (typeof scopes === 'string') return scopes
  if (!hashPattern.test(hashText)) return 'the hash is sha256: and 64 hexadecimal digits'
  const hash = Buffer.from(hashText.slice('sha256:'.length), 'hex')
  return { identity: { name, scopes }, hash, isGenerated: true }
}

/** Returns the fault of a duplicate hash or an excessive row count. A token belongs to exactly one identity. */
function faultAmong({ hash }: TokenRow, owners: Map<string, number>, count: number) {
  if (count === rowsMax) return `more than ${rowsMax} tokens`
  const other = owners.get(hash.toString('hex'))
  return other === undefined ? null : `the hash of line ${other} again`
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
