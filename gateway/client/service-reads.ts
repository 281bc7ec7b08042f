import type { ExchangeInfo } from './answer-types.js'
import { ApiError } from './client-error.js'
import type { RestClient } from './rest-client.js'

/** Whether a venue is there, and what it is; none of it names a wallet. */
export class ServiceReads {
  readonly #rest: RestClient

  constructor(rest: RestClient) {
    this.#rest = rest
  }

  /**
   * What is served here, under which domain it wants signatures, and where money comes from.
   * @example
   * const { preset, funds } = await client.service.index()
   */
  index(): Promise<VenueAbout> {
    return this.#rest.request('GET', '/')
  }

  /**
   * Signing domain, source of perp signatures, listed perps, bounds of a request.
   * @example
   * const { chain_id, perps } = await client.service.exchangeInfo()
   */
  exchangeInfo(): Promise<ExchangeInfo> {
    return this.#rest.request('GET', '/exchange-info')
  }

  /**
   * Whether it answers at all.
   * @example
   * const { status } = await client.service.health()
   */
  health(): Promise<{ readonly status: 'ok' }> {
    return this.#rest.request('GET', '/health')
  }

  /**
   * Whether orders are taken, and else what is missing: an answer in both cases.
   * @example
   * const { status, components } = await client.service.ready()
   */
  async ready(): Promise<Readiness> {
    try {
      return await this.#rest.request<Readiness>('GET', '/ready')
    } catch (error) {
      const isAnswer = error instanceof ApiError && error.status === 503
      const body = isAnswer ? (error.body as Partial<Readiness> | null) : null
      if (body?.components === undefined) throw error
      return body as Readiness
    }
  }

  /**
   * Release and commit that run.
   * @example
   * const { version, commit } = await client.service.version()
   */
  version(): Promise<VersionAnswer> {
    return this.#rest.request('GET', '/version')
  }

  /**
   * The interface as a document for programs.
   * @returns OpenAPI 3.1.
   * @example
   * const { paths } = await client.service.openApi()
   */
  openApi(): Promise<ApiDocument> {
    return this.#rest.request('GET', '/openapi.json')
  }

  /**
   * The streams as a document for programs.
   * @returns AsyncAPI 3.
   * @example
   * const { channels } = await client.service.asyncApi()
   */
  asyncApi(): Promise<ApiDocument> {
    return this.#rest.request('GET', '/asyncapi.json')
  }
}

/** GET /, the part that a client goes on with. */
export interface VenueAbout {
  readonly name: string
  readonly about: string
  readonly preset: string
  readonly version: string
  /** Paths. */
  readonly documents: readonly string[]
  readonly funds: { readonly from: 'faucet' | 'operator'; readonly how: string }
}

/** GET /ready. */
export interface Readiness {
  readonly status: 'ready' | 'not_ready'
  readonly message?: string
  readonly components: readonly {
    readonly name: string
    readonly ready: boolean
    readonly detail?: string
  }[]
}

/** GET /version. */
export interface VersionAnswer {
  readonly version: string
  readonly commit: string
  readonly ref: string
  readonly build_time: string
  readonly signing_chain_id: number
}

/** A document of the interface, as its format has it. */
export type ApiDocument = Readonly<Record<string, unknown>>
