import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandType, PushActionCommand } from '../../../schemas/generated/commands.js'
import { EventType } from '../../../schemas/generated/events.js'
import { viewsOf } from '../../../schemas/record-views.js'
import { events } from '../../../schemas/records/events.js'
import { placesOf } from '../../../schemas/records/layout.js'
import { shown, shownCommand, shownEvent } from '../../../scripts/venue-data/shown-record.js'

/** Returns a record of this length, with 7 in all bytes after its length and type. */
function filled(bytes: number, type: number) {
  const views = viewsOf(new ArrayBuffer(bytes))
  views.u8.fill(7)
  views.i32[0] = bytes
  views.i32[1] = type
  return views
}

test('push endpoints and keys are hidden in every command and event', () => {
  const command = shownCommand(
    filled(PushActionCommand.bytes + 16, CommandType.PushAction),
    0,
    true,
  )
  const push = events.layouts.find(({ types }) => 'Push' in types)!
  const event = shownEvent(filled(placesOf(push).bytes + 16, EventType.Push), 0, true)
  for (const record of [command, event]) {
    assert.equal(record['keys'], '(not shown)')
    assert.equal(record['endpoint'], '(not shown)')
  }
})

test('secrets are masked wherever they are in a record', () => {
  const record = { rows: [{ auth: 'a', price: 1 }], one: { privateKey: 'b' }, kind: 'c' }
  assert.deepEqual(shown(record), {
    rows: [{ auth: '(not shown)', price: 1 }],
    one: { privateKey: '(not shown)' },
    kind: 'c',
  })
})
