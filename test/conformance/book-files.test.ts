import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readReplayFile } from '../../bench/book-replay/replay-file.js'
import { flowOf } from '../../bench/book-replay/replay-flow.js'
import { ThreadedReplay } from '../../bench/book-replay/threaded-replay.js'
import { isLongRun } from '../support/long-test.js'
import { projectRoot } from '../support/project.js'

// Public files of the order-book yardstick, if they are next to the project. The one with most trades runs every time.

const files = [
  {
    name: 'book-static.br',
    messages: 1_996_097,
    trades: 827,
    sha256: '9803843ee404fc29c9a0aa5614f8f0d5a58b5c44fcac9ef89067886fcaaa30d1',
  },
  {
    name: 'book-swing-25.br',
    messages: 1_996_097,
    trades: 66_908,
    sha256: '61a84be9469661bd039e00dbc9a7c011e70b6ace37aadfe60045ea083b05f4df',
  },
] as const

for (const { name, messages, trades, sha256 } of files) {
  const path = join(projectRoot, '../shared/conformance', name)
  const skip = existsSync(path) ? false : `${path} is not there`
  const isRun = isLongRun || name === files[1].name
  test(`the book’s reports on ${name} equal the recorded ones`, {
    skip: isRun ? skip : 'npm run test:long',
  }, async () => {
    const flow = flowOf(readReplayFile(path))
    assert.equal(flow.file.count, messages)
    const replay = await ThreadedReplay.start(path, flow)
    try {
      const run = await replay.run()
      assert.equal(run.trades, trades)
      assert.equal(run.sha256, sha256)
    } finally {
      await replay.close()
    }
  })
}
