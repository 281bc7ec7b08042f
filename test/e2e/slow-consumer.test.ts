import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readLoadOptions } from '../../bench/load/load-options.js'
import { isSlowConsumerEnd, runSlowConsumers } from '../../bench/load/slow-consumer.js'
import { LoadVenue } from '../../scripts/load-venue.js'

// A short look at what `npm run test:slow-consumer` measures. Other tests run beside it, so its
// border only tells a venue that waits for its slowest reader from one that does not.

const venue = new LoadVenue({
  arguments: ['--set=stream.queueAgeMillis=500', '--set=stream.queueBytes=1048576'],
})
const ratioMax = 20

before(() => venue.start())
after(() => venue.dispose())

test('readers that stand still under book updates are let go, and nobody waits for them', async () => {
  const address = [`--url=${venue.url}`, `--operator-url=${venue.operatorUrl}`]
  const shape = ['--open-orders=500', '--instruments=3', '--wallets=4']
  const result = await runSlowConsumers({
    load: readLoadOptions([...address, `--operator-token=${venue.token}`, ...shape], {}),
    ratePerSecond: 400,
    seconds: 2,
    rounds: 1,
    stalledReaders: 2,
    asksPerSecond: 250,
    onLine: () => {},
  })
  assert.equal(result.isReconciled, true)
  assert.equal(result.lostReader, null)
  assert.equal(result.ends.length, 2)
  for (const end of result.ends) assert.ok(isSlowConsumerEnd(end), `${end}`)
  for (const ratio of [...result.acknowledgementRatios, ...result.deliveryRatios]) {
    assert.ok(ratio < ratioMax, `${ratio}`)
  }
})

test('only the specified close is taken for one', () => {
  const reason = (cause: string) =>
    `1008 {"error":"slow_consumer","class":"ordered_public","cause":"${cause}","recovery":"snapshot_resubscribe"}`
  assert.ok(isSlowConsumerEnd(reason('byte_limit')))
  assert.ok(isSlowConsumerEnd('1006 '))
  assert.ok(!isSlowConsumerEnd(reason('bad_mood')))
  assert.ok(!isSlowConsumerEnd('1012 service restart'))
  assert.ok(!isSlowConsumerEnd(null))
})
