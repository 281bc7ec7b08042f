import { randomBytes } from 'node:crypto'
import { connectStrikebook, expectAccepted, SignatureError } from 'strikebook/client'

// Money and keys: the faucet, an agent, an API wallet, a withdrawal, and what each key may not do.
//   npm start                         in one terminal; once it prints `ready`:
//   npm run example -- money-and-keys  in another

const { argv, env } = process
const url = argv[2] ?? env['STRIKEBOOK_URL'] ?? 'http://127.0.0.1:8080'
const newKey = () => `0x${randomBytes(32).toString('hex')}`
const owner = await connectStrikebook({ url, privateKey: newKey() })
const { wallet } = owner
const { amount } = await owner.money.faucet()
console.log(`wallet ${wallet} has ${amount} USD`)
const [option] = await owner.optionsSummary('BTC')
if (!option)
  throw new Error('the venue lists no option: try again in a moment, on the market of `npm start`')
const terms = { symbol: option.instrument_name, side: 'Buy', size: '0.01', price: '1' } as const
const withdrawal = { account: wallet, destination: wallet, amount: '25' }

// An agent is a key that trades for the wallet. Its actions name the wallet, and it signs them.
const agent = await connectStrikebook({ url, privateKey: newKey(), wallet })
const agentAddress = agent.context.signer.address
await owner.account.approveAgent({ agent: agentAddress })
if (!(await owner.authorizedAgents()).includes(agentAddress))
  throw new Error('the agent is missing')
const order = expectAccepted(await agent.placeOrder(terms))
await agent.cancelOrder(order.order_id)
console.log(`agent ${agentAddress} placed and canceled order ${order.order_id}`)
// Only the owner moves money.
console.log(`agent withdraws: ${await failure(agent.account.withdrawUsdc(withdrawal))}`)

// An API wallet is a key that signs only directives, such as orders of perps, under one of eight names.
const robot = await connectStrikebook({ url, privateKey: newKey(), wallet })
const addr = robot.context.signer.address
const name = `0x${Buffer.from('robot').toString('hex').padEnd(64, '0')}`
await owner.directives.send('hc_update_api_wallet', { name, addr })
const [perp] = await owner.perps()
if (!perp) throw new Error('the venue lists no perp')
const numbers = { limitPx: 10 ** 8, sz: 10 ** 6, encodedTif: 2 } as const // price and size times 1e8
const action = { asset: perp.asset, isBuy: true, reduceOnly: false, ...numbers }
const { orderId } = await robot.directives.send('hl_limit_order', action)
if (orderId === undefined) throw new Error('the order of the API wallet was rejected')
const canceled = await robot.directives.send('hl_cancel_by_oid', {
  asset: perp.asset,
  oid: orderId,
})
if (canceled.stage !== 'submitted') throw new Error(`not canceled: ${canceled.rejection?.message}`)
console.log(`API wallet ${addr} placed and canceled order ${orderId} of ${perp.symbol}`)

// Revoking all agents also ends the API wallets. Working orders of a revoked key stay.
await owner.account.revokeAllAgents()
if ((await owner.authorizedAgents()).length > 0) throw new Error('agents are left')
console.log(`revoked: the agent places an order: ${await failure(agent.placeOrder(terms))}`)

// A withdrawal debits the wallet at once. Its delivery ends in a final status.
const { directive_id: id, balance_after: balance } = await owner.account.withdrawUsdc(withdrawal)
const { delivery_status: status } = await owner.directives.settled(id)
if (status !== 'finalized') throw new Error(`the withdrawal is ${status}`)
console.log(`withdrawal of ${withdrawal.amount}: ${status}, ${balance} USD are left`)

/** Returns the code of a signed write that must fail for its signer. */
async function failure(write: Promise<unknown>): Promise<string> {
  const error = await write.then(() => null).catch((reason: unknown) => reason)
  if (!(error instanceof SignatureError)) throw error ?? new Error('the write did not fail')
  return error.code
}
