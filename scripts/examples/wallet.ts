import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { RestClient } from '../../gateway/client/rest-client.js'
import { connectStrikebook, type StrikebookClient } from '../../gateway/client/strikebook-client.js'
import { say } from './say.js'

// Creates funded wallets for the examples. The command line may name another venue than that of `npm start`: the two
// URLs of its ready line, and the file with its operator token.

/** Funded wallet of an example, and the operator interface that funded it. */
export interface ExampleWallet {
  readonly client: StrikebookClient
  readonly operator: RestClient
}

const depositUsd = '1000000'
const noteAfterMillis = 1000
const [
  url = 'http://127.0.0.1:8080',
  operatorUrl = 'http://127.0.0.1:8081',
  tokenFile = 'data/operator.token',
] = process.argv.slice(2)

/** Creates a wallet with funds from the development market's faucet. If the address is rate-limited, waits up to a minute. */
export async function createFaucetWallet(): Promise<StrikebookClient> {
  const client = await createWallet()
  const note = () => say('waiting for the faucet, which is rate-limited per minute')
  const noted = setTimeout(note, noteAfterMillis)
  const { amount } = await client.money.faucet()
  clearTimeout(noted)
  process.stdout.write(`wallet ${client.wallet} has ${amount} USD\n`)
  return client
}

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
