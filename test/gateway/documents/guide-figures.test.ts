import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skewMillisMax } from '../../../gateway/admission/read-session.js'
import { answerMillisMaxDefault } from '../../../gateway/client/stream-calls.js'
import { type GuideName, readRendered } from '../../../gateway/documents/guide-pages.js'
import { rejectedDays } from '../../../gateway/read-model/history/old-rows.js'
import { theoBucketsKept } from '../../../gateway/read-model/history/theo-intervals.js'

/** Figures that a guide writes out, because their modules are not for the documents to import. */
const figures: readonly (readonly [guide: GuideName, words: string])[] = [
  ['orders', `kept for ${rejectedDays} days`],
  ['money-and-keys', `may be ${skewMillisMax} ms fast`],
  ['money-and-keys', `daily sums (after ${theoBucketsKept} days)`],
  ['money-and-keys', `sums (after ${theoBucketsKept} hours)`],
  ['errors-and-limits', `fails after ${answerMillisMaxDefault} ms`],
]

test('figures that a guide writes out are those of the code', async () => {
  const guides = await readRendered()
  for (const [guide, words] of figures) {
    assert.ok(guides[guide].body.replaceAll(/\s+/g, ' ').includes(words), `${guide}: ${words}`)
  }
})
