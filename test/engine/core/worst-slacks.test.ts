import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongRun } from '../../support/long-test.js'
import { SlackStory, slackModels } from '../../support/slack-story.js'

/** Markets per model, more of them by STRIKEBOOK_TEST_CASES; each takes a seed of its own. */
const cases = Number(process.env['STRIKEBOOK_TEST_CASES'] ?? 80)
const firstSeed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 1)
/** Commands in a market. */
const steps = isLongRun ? 40 : 15

for (const model of slackModels) {
  test(`no order, cancel or fill at constant marks takes a worst slack below 0: ${model}`, () => {
    const counts = new Map<string, number>()
    for (let seed = firstSeed; seed < firstSeed + cases; seed++) {
      const story = new SlackStory(seed, model, seed % 3 === 0)
      const fault = story.tell(steps)
      assert.equal(fault, null, `${model}, seed ${seed}: ${fault}`)
      for (const [what, count] of story.counts) counts.set(what, (counts.get(what) ?? 0) + count)
    }
    if (cases < 40) return
    for (const what of [
      'fills',
      'fills tried out',
      'risk-reducing order',
      'risk-reducing and ordinary',
    ]) {
      assert.ok((counts.get(what) ?? 0) >= 5, `${model}: ${what}: ${counts.get(what)}`)
    }
  })
}
