import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { connectStrikebook } from '../client/strikebook-client.js'
import { providerSettled } from './maker-process.js'
import { makerReport } from './maker-report.js'
import { createNativeSigner } from './native-signer.js'
import { ProviderWallet } from './provider-wallet.js'

/** `workerData` of the thread. */
export interface ProviderThreadData {
  readonly url: string
  readonly privateKey: string
}

// Quote provider of the paper market maker. It has its own thread, because a quote is due within a fraction of a
// second, and the thousands of orders of the first minute would delay it.

const refreshMillis = 1500
const firstRefreshMillis = 100

/** Quotes until the process ends. Sends the parent one message when the session is open, or failed. */
async function provide(data: ProviderThreadData): Promise<never> {
  const { report, say } = makerReport()
  const account = createNativeSigner(data.privateKey)
  const client = await connectStrikebook({ url: data.url, account })
  const provider = new ProviderWallet(client, report)
  let isSettled = false
  for (;;) {
    await provider.refresh()
    if (!isSettled && (provider.isConnected || provider.isRefused)) {
      isSettled = true
      if (provider.isConnected) say('connected as quote provider')
      parentPort?.postMessage(providerSettled)
    }
    await sleep(isSettled ? refreshMillis : firstRefreshMillis)
  }
}

await provide(workerData as ProviderThreadData)
