import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe } from 'node:test'
import { loadTransports } from '../../gateway/transport/transports.js'
import { longTest } from '../support/long-test.js'
import { HonestLoad, percentile } from './support/honest-load.js'
import { listMarket } from './support/listed-market.js'
import { symbolOf } from './support/signed-body.js'
import {
  type AttackRow,
  beginAttack,
  compressionAttacks,
  crowdAttacks,
  furtherAttacks,
  restAttacks,
  tableAttacks,
} from './support/stranger-attacks.js'
import { Venue } from './support/venue.js'

// A stranger's attack adds at most 20 ms to the 99th percentile of accepted orders, and costs at most 1 MiB for each of
// its connections.

const symbol = symbolOf('BTC', 110_000)
const addedMillisMax = 20
const ordersPerSecond = 100
const [calmSeconds, attackSeconds] = [2, 2.5]
/**
 * Pairs of a calm run and a run under attack. The median of the added time counts; two more pairs decide if three are
 * too slow.
 */
const [pairsMin, pairsMax] = [3, 5]
/** The venue's heap varies by this much under any load. */
const heapMebibytes = 64

function residentMebibytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024
}

/** Node's transport, and the native one if its library loads. */
const transports = new Set([(await loadTransports('auto')).kind, 'node' as const])

for (const transport of transports) {
  describe(`over the ${transport} transport`, () => {
    const venue = new Venue({ arguments: [`--transport=${transport}`] })
    let load: HonestLoad

    before(async () => {
      await venue.start()
      await listMarket(venue, [symbol])
      load = new HonestLoad(venue, symbol)
      await load.open()
      await load.run(ordersPerSecond, calmSeconds)
    })
    after(async () => {
      load?.close()
      await venue.dispose()
    })

    /** @returns the milliseconds that the attack adds, and the mebibytes that it takes */
    const measure = async (row: AttackRow) => {
      const calm = await load.run(ordersPerSecond, calmSeconds)
      const before = residentMebibytes(venue.pid)
      const end = await beginAttack(venue, row, symbol)
      const under = await load.run(ordersPerSecond, attackSeconds)
      const mebibytes = residentMebibytes(venue.pid) - before
      const { connected } = await end()
      assert.ok(connected > 0)
      assert.deepEqual([...new Set([...calm.others, ...under.others])], [])
      const millis = percentile(under.millis, 0.99) - percentile(calm.millis, 0.99)
      return { millis, mebibytes }
    }

    const attacks = {
      ...tableAttacks(symbol),
      ...furtherAttacks(symbol),
      ...restAttacks(),
      ...crowdAttacks(),
      ...compressionAttacks,
    }
    for (const [name, row] of Object.entries(attacks)) {
      longTest(`orders do not wait for ${name}`, async (context) => {
        const added: number[] = []
        const isEnough = () =>
          percentile(
            added.toSorted((a, b) => a - b),
            0.5,
          ) <= addedMillisMax
        while (added.length < pairsMin || (added.length < pairsMax && !isEnough())) {
          const { millis, mebibytes } = await measure(row)
          context.diagnostic(`${millis.toFixed(1)} ms, ${mebibytes.toFixed(0)} MiB`)
          assert.ok(mebibytes <= row.connections + heapMebibytes, `${mebibytes} MiB`)
          added.push(millis)
        }
        assert.ok(isEnough(), `added milliseconds: ${added.map((millis) => millis.toFixed(1))}`)
      })
    }
  })
}
