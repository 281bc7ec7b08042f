import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { errorOf } from '../../engine/threads/error-of.js'
import type { Perp } from '../client/answer-types.js'
import type { OptionSummary } from '../client/generated/interface.js'
import { RestClient } from '../client/rest-client.js'
import { connectStrikebook, type StrikebookClient } from '../client/strikebook-client.js'
import { createRandomSource } from '../feeds/random-source.js'
import { developmentKey } from './development-keys.js'
import { makerReport } from './maker-report.js'
import { MakerWallet } from './maker-wallet.js'
import { createNativeSigner } from './native-signer.js'
import { perpLevels, perpMarkets } from './perp-plan.js'
import type { ProviderThreadData } from './provider-thread.js'
import { TakerWallet } from './taker-wallet.js'

// Paper market maker of the development market, a separate process. It uses the public interface with signed orders and
// quotes. gateway/main.ts starts it, and passes addresses and token in the environment.

const makers = 4
const takers = 2
const makerDepositUsd = '20000000'
const takerDepositUsd = '200000'
const refreshMillis = 1500
const tradeEveryRefreshes = 2

interface Addresses {
  readonly url: string
  readonly operatorUrl: string
  readonly operatorToken: string
}

async function run(addresses: Addresses): Promise<void> {
  const { url } = addresses
  const { report, say } = makerReport()
  const hasOperator = addresses.operatorUrl !== ''
  // The quote provider starts first: the venue waits for it before it prints `ready`.
  const [provider] = await connectAll(url, 'provider', 1)
  if (hasOperator) {
    await fund(addresses, [provider!], [])
    await register(addresses, provider!)
  }
  provide({ url, privateKey: developmentKey('provider', 0) }, report)
  const makerClients = await connectAll(url, 'maker', makers)
  const takerClients = await connectAll(url, 'taker', takers)
  if (hasOperator) await fund(addresses, makerClients, takerClients)
  const makerWallets = makerClients.map((client) => new MakerWallet(client, report))
  const takerWallets = takerClients.map(
    (client, index) => new TakerWallet(client, createRandomSource(index + 1)),
  )
  for (const taker of takerWallets) await taker.load().catch(report)
  let isComplete = false
  for (let refresh = 0; ; refresh++) {
    const startedMillis = performance.now()
    const [reader] = makerClients
    const rows = await reader!.optionsSummary().catch(() => [])
    const perps = perpMarkets(await reader!.perps().catch(() => []), rows)
    await Promise.all(
      makerWallets.map((maker, index) =>
        maker.refresh(rows.filter(isOptionOf(index)), perps.filter(isPerpOf(index))),
      ),
    )
    if (refresh % tradeEveryRefreshes === 1) {
      const taker = takerWallets[Math.floor(refresh / tradeEveryRefreshes) % takers]!
      await taker.trade(rows, perps).catch(report)
    }
    const shown = makerWallets.reduce((sum, maker) => sum + maker.quotesShown, 0)
    if (!isComplete && rows.length > 0 && shown >= rows.length + perps.length * perpLevels) {
      isComplete = true
      say(`two-sided quotes on all ${rows.length} options and ${perps.length} perps`)
    }
    await sleep(Math.max(0, refreshMillis - (performance.now() - startedMillis)))
  }
}

/** Starts the quote provider. Forwards to the parent that its session is open, or failed. */
function provide(data: ProviderThreadData, report: (failure: unknown) => void): void {
  const thread = new Worker(new URL('./provider-thread.js', import.meta.url), {
    workerData: data,
  })
  thread.on('message', (message) => process.send?.(message))
  thread.on('error', (error) => {
    report(error)
    process.exit(1) // the parent starts it again
  })
}

function connectAll(
  url: string,
  role: string,
  count: number,
): Promise<readonly StrikebookClient[]> {
  const keys = Array.from({ length: count }, (_, index) => developmentKey(role, index))
  // They sign thousands of messages, so the native library is used if it loads.
  return Promise.all(
    keys.map((key) => connectStrikebook({ url, account: createNativeSigner(key) })),
  )
}

async function fund(
  { operatorUrl, operatorToken }: Addresses,
  makerClients: readonly StrikebookClient[],
  takerClients: readonly StrikebookClient[],
): Promise<void> {
  const operator = new RestClient({ url: operatorUrl, token: operatorToken })
  const deposit = (wallet: string, amount: string) => {
    const body = { wallet, amount, deposit_id: `development ${wallet}` }
    return operator.request('POST', '/operator/deposits', { body })
  }
  for (const { wallet } of makerClients) {
    await operator.request('POST', '/operator/tiers', { body: { wallet, tier: 'market_maker' } })
    await deposit(wallet, makerDepositUsd)
  }
  for (const { wallet } of takerClients) await deposit(wallet, takerDepositUsd)
}

/** Registers a wallet as a quote provider with the operator. */
async function register(
  { operatorUrl, operatorToken }: Addresses,
  { wallet }: StrikebookClient,
): Promise<void> {
  const operator = new RestClient({ url: operatorUrl, token: operatorToken })
  const body = { wallet, status: 'active' }
  await operator.request('POST', '/operator/quote-providers', { body })
}

/**
 * Returns the filter for the options of a maker. Each option has one maker, so that makers never trade with each other.
 */
function isOptionOf(maker: number): (row: OptionSummary) => boolean {
  return (row) => {
    let sum = 0
    for (let i = 0; i < row.instrument_name.length; i++) sum += row.instrument_name.charCodeAt(i)
    return sum % makers === maker
  }
}

/** Returns the filter for the perps of a maker. Asset numbers of perps that are listed together are consecutive. */
function isPerpOf(maker: number): (perp: Perp) => boolean {
  return ({ asset }) => asset % makers === maker
}

// The channel closes when the parent ends, for any reason.
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
process.on('SIGINT', () => {}) // a terminal sends it to the parent too, which then ends this process

// Fails if the venue does not answer, or if its operator interface accepts no writes.
await run({
  url: process.env['MAKER_URL'] ?? 'http://127.0.0.1:8080',
  operatorUrl: process.env['MAKER_OPERATOR_URL'] ?? '',
  operatorToken: process.env['MAKER_OPERATOR_TOKEN'] ?? '',
}).catch((error: unknown) => {
  process.stderr.write(`the market maker cannot start: ${errorOf(error).message}\n`)
  process.exit(1)
})
