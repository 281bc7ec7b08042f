import type { Config } from '../config/config-schema.js'

/** Finds what wallets are called elsewhere. */
export interface NameSource {
  /** @returns null: it has no name there. Rejects where that cannot be told. */
  nameOf(wallet: string): Promise<string | null>
}

interface Known {
  readonly name: string | null
  readonly untilMillis: number
  /** From then on whoever asks has it looked up again, and is told what is known meanwhile. */
  readonly renewMillis: number
}

const keptMillis = 600_000
const renewedAfterMillis = 480_000
/** After a failure, which is no answer: until it is asked again. */
const failedMillis = 60_000
const keptMax = 10_000
const underWayMax = 8
const nameCharsMax = 64
/** A source that says more is none: what it says stays in the memory of a gateway while it comes. */
const answerBytesMax = 16_384
/** What turns writing around, or nobody sees: with it a name is shown as another one. */
const hiddenCharacter = /[\p{C}\p{Zl}\p{Zp}]/u

/**
 * Names from elsewhere, ten minutes old at most. Nobody waits for them: who is not known is looked up behind the answer,
 * as far as there is room, and has a name in a later one.
 */
export class WalletNames {
  readonly #source: NameSource
  readonly #nowMillis: () => number
  /** The one looked up longest ago first. */
  readonly #known = new Map<string, Known>()
  readonly #underWay = new Set<string>()

  constructor(source: NameSource, nowMillis: () => number) {
    this.#source = source
    this.#nowMillis = nowMillis
  }

  /** @returns null: none, or not known yet. */
  of(wallet: string): string | null {
    const known = this.#known.get(wallet)
    const nowMillis = this.#nowMillis()
    if (known === undefined || nowMillis >= known.renewMillis) this.#lookUp(wallet)
    return known !== undefined && nowMillis < known.untilMillis ? known.name : null
  }

  #lookUp(wallet: string): void {
    if (this.#underWay.has(wallet) || this.#underWay.size >= underWayMax) return
    this.#underWay.add(wallet)
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
      untilMillis: nowMillis + keptMillis,
      renewMillis: nowMillis + renewedAfterMillis,
    })
  }

  /** A name that is known stays as long as it was to stay. */
  #fail(wallet: string): void {
    const renewMillis = this.#nowMillis() + failedMillis
    const { name, untilMillis } = this.#known.get(wallet) ?? {
      name: null,
      untilMillis: renewMillis,
    }
    this.#keep(wallet, { name, untilMillis, renewMillis })
  }

  #keep(wallet: string, known: Known): void {
    this.#underWay.delete(wallet)
    this.#known.delete(wallet)
    this.#known.set(wallet, known)
    if (this.#known.size > keptMax) this.#known.delete(this.#known.keys().next().value!)
  }
}

/** Names as the configuration says where they are looked up; null: nowhere. */
export function walletNamesOf(
  { competitions }: Pick<Config, 'competitions'>,
  nowMillis: () => number,
): WalletNames | null {
  const { namesTimeoutMillis, namesUrl } = competitions
  if (namesUrl === '') return null
  return new WalletNames(httpNameSource(namesUrl, namesTimeoutMillis), nowMillis)
}

/**
 * A source that answers over HTTP with `{"name": text or null}`.
 * @param url has `{wallet}` where the address belongs.
 */
export function httpNameSource(url: string, timeoutMillis: number): NameSource {
  return {
    async nameOf(wallet) {
      const signal = AbortSignal.timeout(timeoutMillis)
      const answer = await fetch(url.replace('{wallet}', wallet), { signal, redirect: 'error' })
      if (answer.status === 404) return null
      if (!answer.ok) throw new Error(`the source of names answers ${answer.status}`)
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
    if (bytes > answerBytesMax) throw new Error(`the source of names says more than ${bytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The body of a leaderboard with the names that are known. */
export function withWalletNames(body: Uint8Array, names: WalletNames): Uint8Array {
  const answer = JSON.parse(Buffer.from(body).toString('utf8')) as {
    data: { wallet: string; hyperliquid_name: string | null }[]
  }
  for (const row of answer.data) row.hyperliquid_name = names.of(row.wallet)
  return Buffer.from(JSON.stringify(answer))
}
