import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { unlimited } from '../../bench/load-venue.js'
import { connectStrikebook } from '../../gateway/client/strikebook-client.js'
import { createRandomSource } from '../../gateway/feeds/random-source.js'
import { CrashTrader } from './support/crash-trader.js'
import { listMarket } from './support/listed-market.js'
import { symbolOf } from './support/signed-body.js'
import { Venue } from './support/venue.js'

const rounds = 8
const desks = 3
const [loadMillisMin, loadMillisMax] = [100, 1500]
const [downMillisMin, downMillisMax] = [0, 1500]
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
test(`after each kill -9 a client's books, orders and fills become the venue's, seed ${seed}`, async (context) => {
  const random = createRandomSource(seed)
  const between = (min: number, max: number) => sleep(min + random.next() * (max - min))
  // Clients reconnect to the address they know.
  const port = await freePort()
  const venue = new Venue({ arguments: [...unlimited, `--port=${port}`] })
  context.after(() => venue.dispose())
  await venue.start()
  const symbols = [symbolOf('BTC', 100_000), symbolOf('BTC', 110_000), symbolOf('BTC', 90_000, 'P')]
  await listMarket(venue, symbols)
  const all: CrashTrader[] = []
  context.after(() => {
    for (const trader of all) trader.close()
  })
  for (let i = 0; i < desks; i++) {
    const privateKey = `0x${String(i + 1).padStart(64, '0')}`
    const client = await connectStrikebook({ url: venue.url, privateKey })
    const { wallet } = client
    await venue.set('/deposits', { wallet, amount: '1000000000' })
    await venue.set('/tiers', { wallet, tier: 'market_maker' })
    all.push(new CrashTrader(client, symbols, createRandomSource(seed * desks + i)))
  }
  for (let round = 1; round <= rounds; round++) {
    for (const trader of all) trader.begin()
    await between(loadMillisMin, loadMillisMax)
    await venue.end('SIGKILL')
    await between(downMillisMin, downMillisMax)
    await venue.start()
    await between(loadMillisMin, loadMillisMax)
    await Promise.all(all.map((trader) => trader.end()))
    for (const [place, trader] of all.entries()) {
      await trader.check(venue, `seed ${seed}, round ${round}, trader ${place}`)
      context.diagnostic(`round ${round}, trader ${place}: ${trader.counts}`)
    }
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
