import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isSlowConsumerEnd, runSlowConsumers } from '../../bench/load/slow-consumer.js'
import { LoadVenue } from '../../bench/load-venue.js'
import { eventually, slowConsumerCloses } from './support/venue.js'

// `npm run soak -- slow-consumer` measures the effect on other readers. These tests check only that the venue closes
// stalled readers eventually, and that all others keep receiving.

const venue = new LoadVenue({
  arguments: [
    '--set=takeMemory=false',
    '--set=stream.queueAgeMillis=500',
    '--set=stream.queueBytes=1048576',
  ],
})
const stalledReaders = 2
const closeMillisMax = 120_000

before(() => venue.start())
after(() => venue.dispose())

test('the venue closes readers that stall under book updates, and no other reader waits for them', async () => {
  const shape = ['--open-orders=250', '--instruments=3', '--wallets=3', '--drain=200']
  const result = await runSlowConsumers({
    load: venue.loadOptions(shape),
    ratePerSecond: 400,
    seconds: 0.5,
    rounds: 1,
    stalledReaders,
    asksPerSecond: 2000,
    untilLetGo: () =>
      eventually(
        'all let go',
        async () => (await slowConsumerCloses(venue.operatorUrl)) >= stalledReaders,
        closeMillisMax,
      ),
    onLine: () => {},
  })
  assert.equal(result.isReconciled, true)
  assert.equal(result.lostReader, null)
  assert.equal(result.ends.length, stalledReaders)
  for (const end of result.ends) assert.ok(isSlowConsumerEnd(end), `${end}`)
})

test("only the specified close counts as a slow consumer's", () => {
  const reason = (cause: string) =>
    `1008 {"error":"slow_consumer","class":"ordered_public","cause":"${cause}","recovery":"snapshot_resubscribe"}`
  assert.ok(isSlowConsumerEnd(reason('byte_limit')))
  assert.ok(isSlowConsumerEnd('1006 '))
  const ofAnswer = reason('message_age').replace('ordered_public', 'command_result')
  assert.ok(!isSlowConsumerEnd(ofAnswer))
  assert.ok(isSlowConsumerEnd(ofAnswer.replace('snapshot_resubscribe', 'rest_reconcile')))
  assert.ok(!isSlowConsumerEnd(reason('bad_mood')))
  assert.ok(!isSlowConsumerEnd('1012 service restart'))
  assert.ok(!isSlowConsumerEnd(null))
})
