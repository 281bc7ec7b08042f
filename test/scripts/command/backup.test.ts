import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { segmentHeaderBytes } from '../../../engine/journal/segment-format.js'
import { filled } from '../../../scripts/venue-data/whole-files.js'
import { KeptData } from '../../support/kept-data.js'
import { strikebook, strikebookAsync } from '../../support/strikebook.js'

let data: KeptData
let to: string
beforeEach(() => {
  data = new KeptData('clean')
  to = `${data.dataDir}-backup`
})
afterEach(() => {
  data.dispose()
  data.disposeOf(to)
})

const backup = (target: string) =>
  strikebook('backup', `--data-dir=${data.dataDir}`, `--to=${target}`)

/** Flips a bit of the first record of the first segment. @returns its path from the data folder. */
function damage(): string {
  const journal = join(data.dataDir, 'journal')
  const names = readdirSync(journal, { recursive: true, encoding: 'utf8' })
  const name = names.filter((file) => /segment-/.test(file)).sort()[0]!
  const bytes = readFileSync(join(journal, name))
  bytes[segmentHeaderBytes + 20] ^= 1
  writeFileSync(join(journal, name), bytes)
  return join('journal', name)
}

test('a backup into an existing folder, or where none can be made, ends with a message', () => {
  const unmade = backup('/proc/nothing/backup')
  assert.equal(unmade.code, 1)
  assert.match(unmade.error, /the folder \/proc\/nothing cannot be created/)
  for (const [target, what] of [
    ['/dev/full', /is not a folder/],
    [data.dataDir, /is not empty/],
    [join(data.dataDir, 'journal', 'copy'), /inside the data folder/],
  ] as const) {
    const { code, error } = backup(target)
    assert.equal(code, 2, target)
    assert.match(error, what)
  }
})

test('an unsound copy is removed, also from a folder that existed before', () => {
  const file = damage()
  for (const isThere of [false, true]) {
    if (isThere) mkdirSync(to)
    const { code, error } = backup(to)
    assert.equal(code, 1)
    assert.ok(error.includes(file) || error.includes('sound'), error)
    assert.deepEqual(isThere ? readdirSync(to) : existsSync(to), isThere ? [] : false)
  }
})

test('of two backups into one folder one completes, and the one that fails removes nothing of it', async () => {
  const below = (name: string) => join(to, name)
  const words = (target: string) => ['backup', `--data-dir=${data.dataDir}`, `--to=${target}`]
  const both = await Promise.all([strikebookAsync(...words(to)), strikebookAsync(...words(to))])
  assert.deepEqual(both.map(({ code }) => code === 0).sort(), [false, true])
  assert.match(both.find(({ code }) => code !== 0)!.error, /in use by another process|is not empty/)
  assert.equal(strikebook('verify', `--data-dir=${to}`).code, 0)
  assert.ok(readdirSync(to).includes('backup.json') && !readdirSync(to).includes('unfinished'))
  data.disposeOf(to)

  // One makes the folder above, the other a folder next to its own.
  const first = filled(below('one'), async () => {
    await filled(below('two'), () => writeFileSync(below('two/kept'), 'kept'))
    throw new Error('no space')
  })
  await assert.rejects(first, /no space/)
  assert.deepEqual(readdirSync(to), ['two'])
  await assert.rejects(
    filled(below('two'), () => assert.fail('it is not empty')),
    /no longer empty/,
  )
  assert.deepEqual(readdirSync(below('two')), ['kept'])
})
