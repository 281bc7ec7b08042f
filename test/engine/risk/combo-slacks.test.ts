import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongRun } from '../../support/long-test.js'
import { SlackStory, slackModels } from '../../support/slack-story.js'

/** Markets per model, more with STRIKEBOOK_TEST_CASES; each has its own seed. */
const cases = Number(process.env['STRIKEBOOK_TEST_CASES'] ?? (isLongRun ? 80 : 40))
const firstSeed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 1)
/** Commands and combos in a market, about as many of each. */
const steps = isLongRun ? 40 : 15
const comboShare = 0.5

for (const model of slackModels) {
  test(`no combo, whatever fills before and after it, takes a worst slack below 0: ${model}`, () => {
    const counts = new Map<string, number>()
    for (let seed = firstSeed; seed < firstSeed + cases; seed++) {
      const story = new SlackStory(seed, model, seed % 3 === 0, comboShare)
      const fault = story.tell(steps)
      assert.equal(fault, null, `${model}, seed ${seed}: ${fault}`)
      for (const [what, count] of story.counts) counts.set(what, (counts.get(what) ?? 0) + count)
    }
    if (cases < 40) return
    for (const what of ['packages', 'packages refused', 'packages below initial margin']) {
      assert.ok((counts.get(what) ?? 0) >= 20, `${model}: ${what}: ${counts.get(what)}`)
    }
    assert.ok(
      (counts.get('risk-reducing order') ?? 0) >= 5,
      `${model}: ${counts.get('riskReducing order')}`,
    )
  })
}
