import type { ReadKey } from '../../schemas/interface/reads.js'
import { ProtocolError } from './client-error.js'
import type { Query, RestClient } from './rest-client.js'

/** A path that can be read; below one that ends in a slash stands what is asked for. */
type ReadPath<Key = Exclude<ReadKey, 'GET /'>> = Key extends `GET ${infer Path}`
  ? Path extends `${string}/`
    ? `${Path}${string}`
    : Path
  : never

/** Reads as one wallet asks them. */
export class WalletReads {
  readonly #rest: RestClient
  /** Whose reads these are: the trading wallet, lower case. */
  readonly wallet: string

  constructor(rest: RestClient, wallet: string) {
    this.#rest = rest
    this.wallet = wallet
  }

  /** What names no wallet. */
  protected get<Answer>(path: ReadPath, query: Query = {}): Promise<Answer> {
    return this.#rest.request('GET', path, { query })
  }

  /** What is told of the wallet. */
  protected getMine<Answer>(path: ReadPath, query: Query = {}): Promise<Answer> {
    return this.get(path, { wallet: this.wallet, ...query })
  }

  /** The data of an answer about it. */
  protected async dataOfMine<Data>(path: ReadPath, query: Query = {}): Promise<Data> {
    const { data } = await this.getMine<{ data: Data }>(path, query)
    if (data === undefined) throw new ProtocolError(`GET ${path}: an answer without data`)
    return data
  }
}
