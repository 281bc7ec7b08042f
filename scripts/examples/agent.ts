import { randomBytes } from 'node:crypto'
import { expectAccepted, SignatureError } from '../../gateway/client/client-error.js'
import { connectStrikebook } from '../../gateway/client/strikebook-client.js'
import { say } from './say.js'
import { createFaucetWallet } from './wallet.js'

// A key for a trading machine: the owner approves an agent, which places and cancels orders of the owner's wallet. The
// agent cannot move money. The owner then revokes it.
//   npm start                in one terminal; once it prints `ready`:
//   npm run example -- agent in another

const owner = await createFaucetWallet()
const privateKey = `0x${randomBytes(32).toString('hex')}`
const { url } = owner.rest
const agent = await connectStrikebook({ url, privateKey, wallet: owner.wallet })
await owner.account.approveAgent({ agent: agent.context.signer.address })
say(`agent ${agent.context.signer.address} trades for ${owner.wallet}`)
const option = (await agent.optionsSummary('BTC')).find(({ mark_price: mark }) => mark > 100)
if (option === undefined) throw new Error('no option has a mark yet: try again in a moment')
const { instrument_name: symbol } = option
const terms = { symbol, side: 'Buy', size: '0.1', price: '1' } as const
const { order_id: orderId } = expectAccepted(await agent.placeOrder(terms))
say(`the agent's order ${orderId} works in the wallet's name`)
await agent.cancelOrder(orderId)
await owner.account.revokeAgent({ agent: agent.context.signer.address })
try {
  await agent.placeOrder(terms)
} catch (error) {
  if (!(error instanceof SignatureError)) throw error
  say(`revoked: ${error.code}`)
}
