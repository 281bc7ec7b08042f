import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { VenueRail } from '../../../gateway/rail/venue-rail.js'
import { testConfig } from '../../support/gateway-rig.js'

test('an outcome that is none keeps the venue from starting: nothing is delivered instead of failing', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'strikebook-'))
  try {
    const outcomes = `0x${'1'.repeat(40)}=never`
    const config = testConfig({ dataDir, 'withdrawals.outcomes': outcomes })
    const rail = new VenueRail(config, () => {})
    await assert.rejects(rail.open([]), /withdrawals\.outcomes/)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
