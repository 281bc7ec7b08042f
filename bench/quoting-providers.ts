import { createNativeSigner } from '../gateway/maker/native-signer.js'
import { benchDomain } from './market-operator.js'
import type { FleetPlan, FleetReport } from './provider-fleet.js'
import { openProvider } from './provider-socket.js'
import { marketTexts, quoteVersions } from './quoted-market.js'
import { type StreamSocket, textFrame } from './stream-socket.js'

// Quote providers in their own process. The parent sends a plan, and the process answers `ready` when all frames are
// built. `begin` connects all providers, and is answered once each has quoted the whole market twice. Each then quotes it
// once a second until `end`, which is answered by a report.

const periodMillis = 1000
const roundsUntilSteady = 2

process.once('disconnect', () => process.exit())
process.once('message', (plan) => {
  const providers = new QuotingProviders(plan as FleetPlan)
  process.on('message', (order) => {
    if (order === 'begin') void providers.begin()
    else process.send!(providers.end())
  })
  process.send!('ready')
})

class QuotingProviders {
  readonly #plan: FleetPlan
  /** All frames of each version of the market, which a provider sends with one write. */
  readonly #markets: readonly Buffer[]
  readonly #timers = new Map<number, NodeJS.Timeout>()
  #sessions: readonly StreamSocket[] = []
  #nonce = 0
  #rounds = 0
  #blocked = 0

  constructor(plan: FleetPlan) {
    this.#plan = plan
    this.#markets = Array.from({ length: quoteVersions }, (_, version) =>
      Buffer.concat(marketTexts(plan.symbols, version).map(textFrame)),
    )
  }

  async begin(): Promise<void> {
    const { streamUrl, privateKeys } = this.#plan
    const nonce = ++this.#nonce
    this.#rounds = this.#blocked = 0
    this.#sessions = await Promise.all(
      privateKeys.map((key) => {
        const signer = createNativeSigner(key)
        return openProvider(
          streamUrl,
          { domain: benchDomain, signer, wallet: signer.address },
          nonce,
        )
      }),
    )
    const beginMillis = performance.now()
    for (const [provider, session] of this.#sessions.entries()) {
      session.onText = failOnMessage
      session.onFailure = fail
      this.#quoteAt(provider, 0, beginMillis + (provider * periodMillis) / this.#sessions.length)
    }
  }

  end(): FleetReport {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    for (const session of this.#sessions) session.close()
    return { rounds: this.#rounds, blocked: this.#blocked }
  }

  /** Schedules a provider's next quote. Providers are spread over each second. */
  #quoteAt(provider: number, round: number, plannedMillis: number): void {
    const quote = () => {
      const session = this.#sessions[provider]!
      if (session.waitingBytes > 0) this.#blocked++
      session.send(this.#markets[(round + provider) % quoteVersions]!)
      this.#rounds++
      if (this.#rounds === roundsUntilSteady * this.#sessions.length) process.send!('quoting')
      this.#quoteAt(provider, round + 1, plannedMillis + periodMillis)
    }
    this.#timers.set(provider, setTimeout(quote, Math.max(0, plannedMillis - performance.now())))
  }
}

/** Fails on any message: these providers receive no requests, and their rows have no faults. */
function failOnMessage(payload: Buffer): void {
  fail(new Error(`to a provider: ${payload.toString().slice(0, 500)}`))
}

function fail(failure: Error): never {
  throw failure
}
