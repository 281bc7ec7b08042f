import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { RestClient } from '../gateway/client/rest-client.js'
import { connectStrikebook, type StrikebookClient } from '../gateway/client/strikebook-client.js'

/** A new wallet of an example, and the operator interface of the development market that gave it its money. */
export interface ExampleWallet {
  readonly client: StrikebookClient
  readonly operator: RestClient
}

const depositUsd = '1000000'

/**
 * Makes a wallet with money in it. The command line may name another venue than the one that `npm start` runs: the two
 * addresses of its ready line, and the file with its operator token.
 */
export async function createExampleWallet(): Promise<ExampleWallet> {
  const [
    url = 'http://127.0.0.1:8080',
    operatorUrl = 'http://127.0.0.1:8081',
    tokenFile = 'data/operator.token',
  ] = process.argv.slice(2)
  // The key is all there is to a wallet: its address is the account, and it signs what the account does.
  const privateKey = `0x${randomBytes(32).toString('hex')}`
  const client = await connectStrikebook({ url, privateKey })
  // Money comes from the operator, who is whoever can read the token.
  const token = readFileSync(tokenFile, 'utf8').trim()
  const operator = new RestClient({ url: operatorUrl, token })
  const body = { wallet: client.wallet, amount: depositUsd }
  await operator.request('POST', '/operator/deposits', { body })
  process.stdout.write(`wallet ${client.wallet} has ${depositUsd} USD\n`)
  return { client, operator }
}
