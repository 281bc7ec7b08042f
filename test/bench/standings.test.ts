import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runStandingsBench } from '../../bench/standings.js'

test('updates and pages of exact ranks are measured, and a page is full', () => {
  const rows = runStandingsBench({ participants: 300, updates: 50, pages: 20, repeats: 2 })
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['standings.update', 'standings.page'],
  )
  for (const { extra, value } of rows) {
    assert.ok(value > 0)
    assert.equal(extra['participants'], 300)
  }
  const full = Number(rows[1]!.extra['rowsPerPage'])
  assert.ok(full > 50 && full <= 100, String(full))
})
