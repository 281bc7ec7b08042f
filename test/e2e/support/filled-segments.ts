import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expirySeconds } from './signed-body.js'
import type { Venue } from './venue.js'

/** Shortest allowed segments. */
export const shortSegments = '--set=journal.segmentBytes=1048576'
const strikes = 250
const surfacesAtOnce = 10
const roundsMax = 200

/** Writes long commands until a segment is in the archive. */
export async function fillSegments(venue: Venue): Promise<void> {
  const archive = join(venue.dataDir, 'journal', 'archive')
  const points = Array.from({ length: strikes }, (_, i) => ({
    strike: `${80_000 + 10 * i}`,
    iv: '0.6',
  }))
  const surface = { underlying: 'BTC', expiry: expirySeconds(), points }
  const isArchived = () => existsSync(archive) && readdirSync(archive).length > 0
  for (let i = 0; i < roundsMax && !isArchived(); i++) {
    const all = Array.from({ length: surfacesAtOnce }, () => venue.set('/vol-surfaces', surface))
    await Promise.all(all)
  }
  assert.ok(isArchived(), 'the venue archived no segment')
}
