import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { connectStrikebook } from '../client/strikebook-client.js'
import { providerSettled } from './maker-process.js'
import { makerReport } from './maker-report.js'
import { createNativeSigner } from './native-signer.js'
import { ProviderWallet } from './provider-wallet.js'

/** What the thread is told at its start. */
export interface ProviderThreadData {
  readonly url: string
  readonly privateKey: string
}

// The paper market maker as a quote provider, in a thread of its own: the thousands of orders of a first minute must not
// keep it from answering, for which it has a fraction of a second.

const refreshMillis = 1500
const firstRefreshMillis = 100

/** Quotes for as long as we run; tells the parent once that it does, or is not wanted. */
async function provide(data: ProviderThreadData): Promise<never> {
  const { report, say } = makerReport()
  const account = createNativeSigner(data.privateKey)
  const client = await connectStrikebook({ url: data.url, account })
  const provider = new ProviderWallet(client, report)
  let isTold = false
  for (;;) {
    await provider.refresh()
    if (!isTold && (provider.isConnected || provider.isRefused)) {
      isTold = true
      if (provider.isConnected) say('connected as quote provider')
      parentPort?.postMessage(providerSettled)
    }
    await sleep(isTold ? refreshMillis : firstRefreshMillis)
  }
}

await provide(workerData as ProviderThreadData)
