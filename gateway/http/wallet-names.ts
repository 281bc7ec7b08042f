import type { Config } from '../config/config-schema.js'

/** External source of wallet names. */
export interface NameSource {
  /**
   * @returns Null if the wallet has no name. Rejects if the source cannot be read.
   */
  nameOf(wallet: string): Promise<string | null>
}

interface Known {
  readonly name: string | null
  readonly untilMillis: number
  /** Time after which a request starts a new lookup, but still gets the known name. */
  readonly renewMillis: number
}

const cacheMillis = 600_000
const renewAfterMillis = 480_000
/** Pause after a failed lookup. */
const failedMillis = 60_000
const namesMax = 10_000
const lookupsMax = 8
const nameCharsMax = 64
/** Limit of an answer, which occupies a gateway's memory while it arrives. */
const answerBytesMax = 16_384
/** Characters that reverse text or are invisible, and so make a name look like another. */
const hiddenCharacter = /[\p{C}\p{Zl}\p{Zp}]/u

/**
 * Cache of external names, at most ten minutes old. Requests do not wait for it: an unknown name is looked up in the
 * background, within a limit, and appears in later answers.
 */
export class WalletNames {
  readonly #source: NameSource
  readonly #nowMillis: () => number
  /** Ordered by time of lookup, oldest first. */
  readonly #known = new Map<string, Known>()
  readonly #lookups = new Set<string>()

  constructor(source: NameSource, nowMillis: () => number) {
    this.#source = source
    this.#nowMillis = nowMillis
  }

  /**
   * @returns Null if there is no name, or none known yet.
   */
  of(wallet: string): string | null {
    const known = this.#known.get(wallet)
    const nowMillis = this.#nowMillis()
    if (known === undefined || nowMillis >= known.renewMillis) this.#lookUp(wallet)
    return known !== undefined && nowMillis < known.untilMillis ? known.name : null
  }

  #lookUp(wallet: string): void {
    if (this.#lookups.has(wallet) || this.#lookups.size >= lookupsMax) return
    this.#lookups.add(wallet)
    this.#source.nameOf(wallet).then(
      (name) => this.#take(wallet, name),
      () => this.#fail(wallet),
    )
  }

  #take(wallet: string, name: string | null): void {
    const nowMillis = this.#nowMillis()
    const isLength = name !== null && name !== '' && name.length <= nameCharsMax
    const isName = isLength && !hiddenCharacter.test(name)
    this.#keep(wallet, {
      name: isName ? name : null,
      untilMillis: nowMillis + cacheMillis,
      renewMillis: nowMillis + renewAfterMillis,
    })
  }

  /** Keeps a known name until it expires. */
  #fail(wallet: string): void {
    const renewMillis = this.#nowMillis() + failedMillis
    const { name, untilMillis } = this.#known.get(wallet) ?? {
      name: null,
      untilMillis: renewMillis,
    }
    this.#keep(wallet, { name, untilMillis, renewMillis })
  }

  #keep(wallet: string, known: Known): void {
    this.#lookups.delete(wallet)
    this.#known.delete(wallet)
    this.#known.set(wallet, known)
    if (this.#known.size > namesMax) this.#known.delete(this.#known.keys().next().value!)
  }
}

/** Creates the cache of the configured source; null if there is none. */
export function walletNamesOf(
  { competitions }: Pick<Config, 'competitions'>,
  nowMillis: () => number,
): WalletNames | null {
  const { namesTimeoutMillis, namesUrl } = competitions
  if (namesUrl === '') return null
  return new WalletNames(httpNameSource(namesUrl, namesTimeoutMillis), nowMillis)
}

/**
 * Creates a source that answers over HTTP with `{"name": text or null}`.
 * @param url Contains `{wallet}` in place of the address.
 */
export function httpNameSource(url: string, timeoutMillis: number): NameSource {
  return {
    async nameOf(wallet) {
      const signal = AbortSignal.timeout(timeoutMillis)
      const answer = await fetch(url.replace('{wallet}', wallet), { signal, redirect: 'error' })
      if (answer.status === 404) return null
      if (!answer.ok) throw new Error(`the name service answered ${answer.status}`)
      const { name } = JSON.parse(await textOf(answer)) as { readonly name?: unknown }
      return typeof name === 'string' ? name : null
    },
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > answerBytesMax)
      throw new Error(`the name service answered with more than ${bytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Inserts the known names into the body of a leaderboard. */
export function withWalletNames(body: Uint8Array, names: WalletNames): Uint8Array {
  const answer = JSON.parse(Buffer.from(body).toString('utf8')) as {
    data: { wallet: string; hyperliquid_name: string | null }[]
  }
  for (const row of answer.data) row.hyperliquid_name = names.of(row.wallet)
  return Buffer.from(JSON.stringify(answer))
}
