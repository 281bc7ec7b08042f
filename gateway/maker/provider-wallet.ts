import { ApiError } from '../client/client-error.js'
import type { OptionSummary } from '../client/generated/interface.js'
import { QuoteProviderClient, type RfqRequest } from '../client/quote-provider-client.js'
import type { RfqQuoteTerms } from '../client/signed-actions.js'
import type { StreamMessage } from '../client/stream-types.js'
import type { StrikebookClient } from '../client/strikebook-client.js'
import { firmQuote, haveMoved, indicativeQuote, type QuotePlans, scopeOf } from './provider-plan.js'
import { type PlannedQuote, planQuote } from './quote-plan.js'
import { WindowBudget } from './window-budget.js'

/** Published quotes on one underlying. */
interface Shown {
  plans: QuotePlans
  publishedMillis: number
}

const quotesPerMinute = 600
// Another provider was faster, or the RFQ had ended.
const lateCodes = ['rfq_already_filled', 'rfq_closed', 'deadline_passed']
const republishMillis = 20_000 // quotes are valid for a minute
const priceMillisMax = 5000
const readMillisMin = 500 // between reads of the market because of RFQs
const refusedPauseMillis = 30_000
const freeShareMin = 0.5 // of the equity: the rest is reserved for the orders of the wallet

/**
 * Wallet of a maker as a quote provider. Publishes indicative quotes, and answers RFQs with the same prices. The caller
 * calls `refresh` every few seconds, which also reopens the session.
 */
export class ProviderWallet {
  readonly #client: StrikebookClient
  readonly #onFailure: (failure: unknown) => void
  readonly #budget = new WindowBudget(quotesPerMinute)
  readonly #shown = new Map<string, Shown>()
  #session: QuoteProviderClient | null = null
  #pricedMillis = Number.NEGATIVE_INFINITY
  #refusedMillis = Number.NEGATIVE_INFINITY
  #hasRoom = false
  #refreshing: Promise<void> | null = null
  #isClosed = false

  constructor(client: StrikebookClient, onFailure: (failure: unknown) => void) {
    this.#client = client
    this.#onFailure = onFailure
  }

  get isConnected(): boolean {
    return this.#session !== null
  }

  /** True if the venue recently declined it as a provider. A later `refresh` tries again. */
  get isRefused(): boolean {
    return performance.now() - this.#refusedMillis < refusedPauseMillis
  }

  /** Reads the market, opens the session if needed, and publishes quotes that have moved. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh()
      .catch(this.#onFailure)
      .finally(() => {
        this.#refreshing = null
      })
    return this.#refreshing
  }

  close(): void {
    this.#isClosed = true
    this.#session?.close()
  }

  async #refresh(): Promise<void> {
    const [rows, portfolio] = await Promise.all([
      this.#client.optionsSummary(),
      this.#client.portfolio(),
    ])
    const { available_balance: available, equity } = portfolio
    this.#hasRoom = Number(available) > Number(equity) * freeShareMin
    if (this.#session === null && !this.isRefused) await this.#connect()
    this.#publish(plansByUnderlying(rows))
    this.#pricedMillis = performance.now()
  }

  async #connect(): Promise<void> {
    const { context, rest, nextNonce } = this.#client
    this.#shown.clear() // the new session has published nothing yet
    try {
      const session = await QuoteProviderClient.connect({
        ...{ url: rest.url, context, nonce: nextNonce() },
        onMessage: (message) => this.#onMessage(message),
        onClosed: () => {
          this.#session = null
        },
      })
      this.#session = session
      if (this.#isClosed) session.close()
    } catch (error) {
      if (error instanceof ApiError) this.#refusedMillis = performance.now()
      throw error
    }
  }

  #publish(plansOf: ReadonlyMap<string, QuotePlans>): void {
    for (const underlying of new Set([...plansOf.keys(), ...this.#shown.keys()])) {
      const plans = plansOf.get(underlying) ?? new Map()
      const shown = this.#shown.get(underlying)
      const now = performance.now()
      const isFresh = shown !== undefined && now - shown.publishedMillis < republishMillis
      if (isFresh && !haveMoved(shown.plans, plans)) continue
      this.#shown.set(underlying, { plans, publishedMillis: now })
      this.#session?.publishScope(scopeOf(underlying), [...plans.values()].map(indicativeQuote))
    }
  }

  #onMessage(message: StreamMessage): void {
    if (message.type === 'rfq_request') {
      this.#answer(message as RfqRequest).catch(this.#onFailure)
    } else if (message.type === 'error' && !lateCodes.includes(String(message['code']))) {
      this.#onFailure(`quote provider: ${String(message['message'])}`)
    }
  }

  async #answer(request: RfqRequest): Promise<void> {
    let quote = this.#quote(request)
    if (quote === null && this.#priceMillis() > readMillisMin) {
      // Prices are old, or an instrument was listed a moment ago.
      await this.refresh()
      quote = this.#quote(request)
    }
    if (quote === null) this.#session?.decline(request.rfq_id)
    else await this.#session?.quote(quote, this.#client.nextNonce())
  }

  #quote(request: RfqRequest): RfqQuoteTerms | null {
    if (this.#priceMillis() > priceMillisMax || !this.#hasRoom) return null
    const quote = firmQuote(request, (symbol) => this.#shownOf(symbol))
    return quote !== null && this.#budget.take() ? quote : null
  }

  #shownOf(symbol: string): PlannedQuote | undefined {
    for (const { plans } of this.#shown.values()) {
      const plan = plans.get(symbol)
      if (plan !== undefined) return plan
    }
    return undefined
  }

  /** Returns the age of the prices. */
  #priceMillis(): number {
    return performance.now() - this.#pricedMillis
  }
}

function plansByUnderlying(rows: readonly OptionSummary[]): ReadonlyMap<string, QuotePlans> {
  const plansOf = new Map<string, Map<string, PlannedQuote>>()
  for (const row of rows) {
    const plans = plansOf.get(row.base_currency) ?? new Map<string, PlannedQuote>()
    plansOf.set(row.base_currency, plans)
    const plan = planQuote(row)
    if (plan !== null) plans.set(plan.symbol, plan)
  }
  return plansOf
}
