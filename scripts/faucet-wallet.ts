import { randomBytes } from 'node:crypto'
import { connectStrikebook, type StrikebookClient } from '../gateway/client/strikebook-client.js'

/**
 * A new wallet of an example, with money of the faucet, which the development market has for everybody; once a minute to
 * one address, so this may wait as long. The command line may name another venue than the one that `npm start` runs.
 */
export async function createFaucetWallet(): Promise<StrikebookClient> {
  const [url = 'http://127.0.0.1:8080'] = process.argv.slice(2)
  // The key is all there is to a wallet: its address is the account, and it signs what the account does.
  const privateKey = `0x${randomBytes(32).toString('hex')}`
  const client = await connectStrikebook({ url, privateKey, rateLimit: 'wait' })
  const body = { wallet: client.wallet }
  const { amount } = await client.rest.request<{ amount: string }>('POST', '/faucet', { body })
  process.stdout.write(`wallet ${client.wallet} has ${amount} USD\n`)
  return client
}
