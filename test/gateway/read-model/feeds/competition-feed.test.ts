import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../../bench/event-script.js'
import { CompetitionFeed } from '../../../../gateway/read-model/feeds/competition-feed.js'
import type { Push } from '../../../../gateway/read-model/feeds/reply-writer.js'
import { Ledger } from '../../../../gateway/read-model/standings/ledger.js'
import { CompetitionState } from '../../../../schemas/domain.js'

const usd = 1_000_000
const participantsMax = 100_000

/** A feed of one competition that runs, with so many wallets in it. */
function feedOf(participants: number) {
  const ledger = new Ledger(1, {}, true)
  const achieve = (number: number, pnl: number) => {
    const row = ledger.participants.rowFor(walletOf(number))
    ledger.standings!.take(row)
    ledger.participants.pnlMicros[row] = pnl * usd
    ledger.participants.trades[row] = 1
    ledger.standings!.put(row)
    ledger.version++
  }
  for (let number = 1; number <= participants; number++) achieve(number, number % 1000)
  const facts = {
    id: 1,
    name: 'Spring',
    state: CompetitionState.Active as number,
    winConditions: [1],
  }
  const pushed: Push[] = []
  const out = { isLagging: false, push: (push: Push) => pushed.push(push) }
  let looks = 0
  const find = () => {
    looks++
    return facts
  }
  const views = {
    ...{ seq: 7, timeMillis: 5 },
    competitions: { find, current: facts },
    accounts: { find: () => -1, risk: {} },
  }
  const active = [ledger]
  const feed = new CompetitionFeed({
    views: views as never,
    outs: [out as never],
    hasPassed: () => true,
    standings: { active, find: () => ledger } as never,
  })
  const takePushed = () =>
    pushed.splice(0).map(({ body }) => JSON.parse(Buffer.from(body).toString('utf8')))
  const watch = (number: number, isEngagement: boolean) =>
    feed.watch({ gateway: 0, wallet: walletOf(number), isEngagement, slot: 1, logOffset: 0 })
  return { feed, active, ledger, facts, achieve, takePushed, watch, looks: () => looks, out }
}

test('values are published at most once a second, and gaps every five, each with its current value', () => {
  const { feed, achieve, takePushed, watch } = feedOf(3)
  watch(1, false)
  watch(1, true)
  feed.publish(0)
  assert.deepEqual(
    takePushed().map(({ type }) => type),
    ['CompetitionPnlSummary'],
  )
  achieve(1, 10)
  feed.publish(500)
  assert.deepEqual(takePushed(), [])
  achieve(1, 20)
  feed.publish(1000)
  const [update, change] = takePushed()
  assert.deepEqual([update.type, update.rank, update.pnl], ['CompetitionUpdate', 1, '20'])
  assert.deepEqual([change.from_rank, change.to_rank, change.delta_places], [3, 1, 2])
  achieve(1, 2)
  feed.publish(4000)
  assert.deepEqual(
    takePushed().map(({ type }) => type),
    ['CompetitionUpdate', 'CompetitionRankChange'],
  )
  feed.publish(5000)
  assert.deepEqual(
    takePushed().map(({ type, gap_metric_value }) => [type, gap_metric_value]),
    [['CompetitionGapUpdate', '1']],
  )
  feed.publish(20_000)
  assert.deepEqual(takePushed(), [], 'nothing has changed')
})

test('ranks moved by other wallets are published, too, but not to a gateway that lags', () => {
  const { feed, achieve, takePushed, watch, out } = feedOf(3)
  watch(3, true)
  feed.publish(0)
  takePushed()
  out.isLagging = true
  achieve(1, 900)
  feed.publish(1000)
  assert.deepEqual(takePushed(), [])
  out.isLagging = false
  feed.publish(1001)
  const [change] = takePushed()
  assert.deepEqual([change.type, change.from_rank, change.to_rank], ['CompetitionRankChange', 1, 2])
})

test('an end is published once, to the participants', () => {
  const { feed, active, facts, ledger, takePushed, watch } = feedOf(4)
  for (const number of [2, 9]) {
    watch(number, false)
    watch(number, true)
  }
  feed.publish(0)
  takePushed()
  facts.state = CompetitionState.Post
  active.length = 0
  feed.onTurn(ledger)
  feed.publish(10)
  assert.deepEqual(
    takePushed().map(({ type, medal }) => [type, medal]),
    [
      ['CompetitionFinalStats', 3],
      ['CompetitionPnlSummary', undefined],
      ['CompetitionFinalStanding', 3],
      ['CompetitionPnlSummary', undefined],
    ],
  )
  feed.publish(5000)
  assert.deepEqual(takePushed(), [])
})

test('the work depends on the listeners, not on the number of participants', () => {
  const { feed, achieve, takePushed, watch, looks } = feedOf(participantsMax)
  for (let number = 1; number <= 10; number++) watch(number, true)
  feed.publish(0)
  const before = looks()
  for (let number = 1000; number < 2000; number++) achieve(number, 5000)
  feed.publish(1000)
  assert.equal(looks() - before, 10)
  assert.equal(takePushed().length, 10)
})
