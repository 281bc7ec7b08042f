import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { connectStrikebook, expectAccepted, LocalBook, StreamClient } from 'strikebook/client'

// Market data: expiries, an option and its book; then the stream, with a snapshot and a resume after a lost connection.
//   npm start                      in one terminal; once it prints `ready`:
//   npm run example -- market-data  in another

const { argv, env } = process
const url = argv[2] ?? env['STRIKEBOOK_URL'] ?? 'http://127.0.0.1:8080'
const privateKey = `0x${randomBytes(32).toString('hex')}`
const client = await connectStrikebook({ url, privateKey })

// One row for each expiry of each underlying, then one for each option of an underlying
for (const market of await client.market.list({ include_instruments: false })) {
  const { underlying, expiry, index_price: index, atm_vol: volatility } = market
  if (underlying === 'BTC')
    console.log(`expiry ${expiry}: index ${index}, volatility ${volatility}`)
}
const [option] = (await client.optionsSummary('BTC'))
  .filter(({ bid_price: bid, ask_price: ask }) => bid > 0 && ask > 0)
  .sort((one, other) => farFromHalf(one.greeks.delta) - farFromHalf(other.greeks.delta))
if (!option) throw new Error('nobody quotes: try again in a moment, on the market of `npm start`')
const { instrument_name: symbol, bid_price: bid, ask_price: ask, greeks } = option
console.log(`${symbol}: bid ${bid}, ask ${ask}, delta ${greeks.delta.toFixed(2)}`)

// The stream connects to a relay, so that this program can cut the connection.
const relay = await openRelay(new URL(url))
const stream = new StreamClient({ url: relay.url })

// A local book begins with a snapshot, follows the stream, and repairs itself after a gap.
const sequences: number[] = []
await new Promise<void>((resolve) => {
  const book = new LocalBook({
    ...{ stream, rest: client.rest, symbol },
    onChange({ state, seq, bids, asks }) {
      if (state !== 'live') return
      sequences.push(seq)
      console.log(`book as of ${seq}: bid ${bids[0]?.price}, ask ${asks[0]?.price}`)
      if (sequences.length < 3) return
      book.close()
      resolve()
    },
  })
})
if (sequences[0]! >= sequences[2]!) throw new Error('the book does not follow the stream')

// After a reconnect the stream resumes by itself. `resumed` names the channels that missed nothing.
const tradeIds: number[] = []
stream.on('trades', ({ trade_id: id }) => tradeIds.push(id), { symbols: [symbol] })
await stream.answered()
const resuming = new Promise<ReadonlySet<string>>((resolve) => {
  stream.listen({ onConnected: (_, resumed) => resolve(resumed) })
})
relay.cut()
await client.money.faucet()
const price = String(Number((ask * 1.1).toPrecision(5)))
const terms = { symbol, side: 'Buy', size: '0.01', price, tif: 'ioc' } as const
const order = expectAccepted(await client.placeOrder(terms))
if (order.status !== 'FILLED') throw new Error(`the order is ${order.status}: ${order.reason}`)
console.log(`wallet ${client.wallet} bought ${order.filled_size} while the stream was down`)
relay.mend()
if (!(await resuming).has('trades')) throw new Error('the stream did not resume')
const [fill] = await client.fills()
if (!tradeIds.includes(fill!.trade_id)) throw new Error('the missed trade did not arrive')
console.log(`resumed: trade ${fill!.trade_id}`)
stream.close()
relay.close()

function farFromHalf(delta: number): number {
  return Math.abs(delta - 0.5)
}

/** Opens a relay to the venue. `cut` ends its connections, and no new one opens before `mend`. */
async function openRelay({ hostname, port }: URL) {
  const sockets = new Set<Socket>()
  let isCut = false
  const relay = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(Number(port || 80), hostname)
    for (const socket of [near, far]) sockets.add(socket.on('error', () => socket.destroy()))
    return near.pipe(far).pipe(near)
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend: () => {
      isCut = false
    },
    close: () => relay.close(),
  }
}
