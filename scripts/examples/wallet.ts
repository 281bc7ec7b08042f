import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { RestClient } from '../../gateway/client/rest-client.js'
import { connectStrikebook, type StrikebookClient } from '../../gateway/client/strikebook-client.js'

// Creates funded wallets for the examples. The command line may name another venue than that of `npm start`: the two
// URLs of its ready line, and the file with its operator token.

/** Funded wallet of an example, and the operator interface that funded it. */
export interface ExampleWallet {
  readonly client: StrikebookClient
  readonly operator: RestClient
}

const depositUsd = '1000000'
const [
  url = 'http://127.0.0.1:8080',
  operatorUrl = 'http://127.0.0.1:8081',
  tokenFile = 'data/operator.token',
] = process.argv.slice(2)

/** Creates a wallet with funds from the operator. The token file authorizes the deposit. */
export async function createExampleWallet(): Promise<ExampleWallet> {
  const client = await createWallet()
  const token = readFileSync(tokenFile, 'utf8').trim()
  const operator = new RestClient({ url: operatorUrl, token })
  const body = { wallet: client.wallet, amount: depositUsd }
  await operator.request('POST', '/operator/deposits', { body })
  process.stdout.write(`wallet ${client.wallet} has ${depositUsd} USD\n`)
  return { client, operator }
}

/** Creates a wallet from a random key. The key's address is the account, and the key signs its actions. */
function createWallet(): Promise<StrikebookClient> {
  const privateKey = `0x${randomBytes(32).toString('hex')}`
  return connectStrikebook({ url, privateKey, rateLimit: 'wait' })
}
