import type { NotReady } from '../../schemas/interface/venue.js'
import type { ExchangeInfo, VenueIndex, Version } from './answer-types.js'
import { ApiError } from './client-error.js'
import type { Answers } from './generated/interface.js'
import type { RestClient } from './rest-client.js'

/** Reads about the venue itself. None of them names a wallet. */
export class ServiceReads {
  readonly #rest: RestClient

  constructor(rest: RestClient) {
    this.#rest = rest
  }

  /**
   * Returns the venue's endpoints, signing domain and source of funds.
   * @example
   * const { preset, funds } = await client.service.index()
   */
  index(): Promise<VenueIndex> {
    return this.#rest.request('GET', '/')
  }

  /**
   * Returns signing domain, source of perp signatures, listed perps, and request limits.
   * @example
   * const { chain_id, perps } = await client.service.exchangeInfo()
   */
  exchangeInfo(): Promise<ExchangeInfo> {
    return this.#rest.request('GET', '/exchange-info')
  }

  /**
   * Returns the liveness status.
   * @example
   * const { status } = await client.service.health()
   */
  health(): Promise<Answers['GET /health']> {
    return this.#rest.request('GET', '/health')
  }

  /**
   * Returns readiness, with the missing components if the venue is not ready. A 503 is an answer here, not an error.
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
   * Returns the running release and commit.
   * @example
   * const { version, commit } = await client.service.version()
   */
  version(): Promise<Version> {
    return this.#rest.request('GET', '/version')
  }

  /**
   * Returns the OpenAPI 3.1 document of the interface.
   * @example
   * const { paths } = await client.service.openApi()
   */
  openApi(): Promise<ApiDocument> {
    return this.#rest.request('GET', '/openapi.json')
  }

  /**
   * Returns the AsyncAPI 3 document of the streams.
   * @example
   * const { channels } = await client.service.asyncApi()
   */
  asyncApi(): Promise<ApiDocument> {
    return this.#rest.request('GET', '/asyncapi.json')
  }
}

/** Answer of GET /ready, with either status. */
export type Readiness = Answers['GET /ready'] | NotReady

/** OpenAPI or AsyncAPI document. */
export type ApiDocument = Readonly<Record<string, unknown>>
