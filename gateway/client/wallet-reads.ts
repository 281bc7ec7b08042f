import { ProtocolError } from './client-error.js'
import type { Answers } from './generated/interface.js'
import type { Query, RestClient } from './rest-client.js'

/** Answers of reads by path. A path that ends in a slash continues with an id. */
type Reads = {
  readonly [Key in keyof Answers as Key extends `GET ${infer Path}` ? Path : never]: Answers[Key]
}
type PathBelow = Extract<keyof Reads, `/${string}/`>
type DataAt<Path extends keyof Reads> = Reads[Path] extends { readonly data: infer Data }
  ? Data
  : never

/** Reads of one wallet. */
export class WalletReads {
  readonly #rest: RestClient
  /** Trading wallet, in lower case. */
  readonly wallet: string

  constructor(rest: RestClient, wallet: string) {
    this.#rest = rest
    this.wallet = wallet
  }

  /** Reads without naming the wallet. */
  protected get<Path extends keyof Reads>(path: Path, query: Query = {}): Promise<Reads[Path]> {
    return this.#rest.request('GET', path, { query })
  }

  /** Reads one row by its id. */
  protected getOne<Path extends PathBelow>(
    path: Path,
    id: string | number,
    query: Query = {},
  ): Promise<Reads[Path]> {
    return this.#rest.request('GET', path + encodeURIComponent(id), { query })
  }

  /** Reads about the wallet. */
  protected getMine<Path extends keyof Reads>(path: Path, query: Query = {}): Promise<Reads[Path]> {
    return this.get(path, { wallet: this.wallet, ...query })
  }

  /** Returns the data of an answer about the wallet. */
  protected async dataOfMine<Path extends keyof Reads>(
    path: Path,
    query: Query = {},
  ): Promise<DataAt<Path>> {
    const { data } = (await this.getMine(path, query)) as { readonly data?: DataAt<Path> }
    if (data === undefined) throw new ProtocolError(`GET ${path}: an answer without data`)
    return data
  }
}
