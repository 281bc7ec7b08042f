import type { NotReady } from '../../schemas/interface/venue.js'
import type { ExchangeInfo, VenueIndex, Version } from './answer-types.js'
import { ApiError } from './client-error.js'
import type { Answers } from './generated/interface.js'
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
  index(): Promise<VenueIndex> {
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
  health(): Promise<Answers['GET /health']> {
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
  version(): Promise<Version> {
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

/** GET /ready, with either status. */
export type Readiness = Answers['GET /ready'] | NotReady

/** A document of the interface, as its format has it. */
export type ApiDocument = Readonly<Record<string, unknown>>
