import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually, Venue } from './support/venue.js'

const every = 20
const archivedMax = 3
const settings = [
  `--set=journal.snapshotBatches=${every}`,
  `--set=journal.archivedSnapshots=${archivedMax}`,
]

for (const durability of ['flush', 'memory'] as const) {
  test(`after a kill a venue replays only batches after its latest snapshot, durability ${durability}`, async () => {
    const venue = new Venue({ arguments: [...settings, `--durability=${durability}`] })
    after(() => venue.dispose())
    await venue.start()
    const wallet = `0x${'7'.repeat(40)}`
    const count = 8 * every
    for (let number = 0; number < count; number++) {
      await venue.set('/deposits', { wallet, amount: '1' })
      // Gives the snapshot thread time, as a quiet market does.
      if (number % every === 0) await settled(venue)
    }
    await settled(venue)
    await venue.end('SIGKILL')
    await venue.start()
    const { lastBatch, replayedBatches } = recovered(venue)
    assert.ok(lastBatch >= count, String(lastBatch))
    assert.ok(replayedBatches <= 3 * every, `${replayedBatches} of ${lastBatch} batches replayed`)
    const { data } = await venue.read(`/portfolio?wallet=${wallet}`)
    assert.equal(Number(data.available_balance), count)
    const journal = readdirSync(join(venue.dataDir, 'journal')).filter(isSnapshot)
    const archive = readdirSync(join(venue.dataDir, 'journal/archive')).filter(isSnapshot)
    assert.ok(journal.length <= 3, journal.join(' '))
    assert.ok(archive.length > 0 && archive.length <= archivedMax, archive.join(' '))
  })
}

function isSnapshot(name: string): boolean {
  return name.endsWith('.state')
}

/** Waits until fewer batches than two spans follow the latest snapshot. */
async function settled(venue: Venue): Promise<void> {
  await eventually('the snapshots that are due', async () => {
    const found = /^strikebook_snapshot_lag_batches (\d+)$/m.exec(await venue.metrics())
    return Number(found![1]) < 2 * every
  })
}

/** Returns the recovery that the latest start logged. */
function recovered(venue: Venue): { lastBatch: number; replayedBatches: number } {
  const line = venue
    .log()
    .split('\n')
    .findLast((text) => text.includes('"msg":"recovered"'))
  return JSON.parse(line!)
}
