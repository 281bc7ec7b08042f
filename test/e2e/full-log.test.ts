import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Venue } from './support/venue.js'

const dataDir = mkdtempSync(join(tmpdir(), 'strikebook-full-'))
const venue = new Venue({ dataDir })

before(async () => {
  const path = join(dataDir, 'venue.log')
  symlinkSync('/dev/full', path)
  const started = venue.start()
  // The venue has the file open; readers of its log must not read without end.
  rmSync(path)
  writeFileSync(path, '')
  await started
})
after(async () => {
  await venue.end('SIGKILL')
  rmSync(dataDir, { recursive: true })
})

const deposit = (wallet: string) => venue.operator('POST', '/deposits', { wallet, amount: '1' })

test('a venue whose log has no room starts and works', async () => {
  const answer = await deposit(`0x${'1'.repeat(40)}`)
  assert.equal(answer.status, 200, answer.text)
})

test('a venue whose log and journal both fail acknowledges nothing and exits, rather than only looking alive', async () => {
  renameSync(join(dataDir, 'journal'), join(dataDir, 'moved'))
  const outcome = await Promise.race([
    deposit(`0x${'2'.repeat(40)}`).then(
      ({ status }) => status,
      () => 'no answer',
    ),
    venue.exited,
  ])
  assert.notEqual(outcome, 200)
  assert.equal(await venue.exited, 1)
})
