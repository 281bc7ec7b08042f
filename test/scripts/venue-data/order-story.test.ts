import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { JournalReplay } from '../../../scripts/venue-data/journal-replay.js'
import { isWorking, orderStory } from '../../../scripts/venue-data/order-story.js'
import { orderSubject, storyOf } from '../../../scripts/venue-data/story.js'
import { VenueFolder } from '../../../scripts/venue-data/venue-folder.js'
import { KeptData } from '../../support/kept-data.js'

const data = new KeptData('clean')
after(() => data.dispose())
const ordersCompared = 12

test('the story of an order equals that of a replay of the whole journal up to its end', () => {
  const folder = new VenueFolder(data.dataDir)
  const last = new JournalReplay(folder, 1)
  last.to()
  const { orderCount } = last.state
  let [compared, ended] = [0, 0]
  for (let number = orderCount; number > 0 && compared < ordersCompared; number -= 7) {
    for (const underlying of [0, 1]) {
      const orderId = number * underlyingsMax + underlying
      const whole = [...storyOf(folder, orderSubject(orderId))]
      if (whole.length === 0) continue
      compared++
      const story = [...orderStory(folder, orderId)]
      if (isWorking(last.state, orderId)) {
        assert.deepEqual(story, whole)
        continue
      }
      ended++
      const events = whole.filter(({ kind }) => kind === 'event')
      const endBatch = events.findLast(({ record }) => record['type'] === 'OrderUpdate')!.batch
      const expected = whole.filter(({ kind, batch }) => kind === 'command' || batch <= endBatch)
      assert.deepEqual(
        story.filter(({ batch }) => batch <= endBatch),
        expected.filter(({ batch }) => batch <= endBatch),
      )
      const namesIt = (steps: typeof whole) =>
        steps.filter(({ kind, batch, record }) => {
          return kind === 'command' && batch > endBatch && record['orderId'] === orderId
        })
      assert.deepEqual(namesIt(story), namesIt(expected))
    }
  }
  assert.ok(compared >= ordersCompared && ended > 0, `${compared} compared, ${ended} of them ended`)
})
