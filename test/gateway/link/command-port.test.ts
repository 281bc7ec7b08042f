import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Doorbell } from '../../../engine/memory/doorbell.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { doorbellOf, logReaders } from '../../../engine/memory/exchange-memory.js'
import { recordBytesAt, recordTypeAt } from '../../../engine/memory/layout.js'
import { Ring } from '../../../engine/memory/ring.js'
import { CommandPort, engineBusy } from '../../../gateway/link/command-port.js'
import * as commands from '../../../schemas/commands.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { EventScript, smallMemory, walletOf } from '../../support/events.js'
import { followEvents } from '../../support/follow-events.js'

/** Two cancel records, back to back. */
function twoItems(): Uint8Array {
  const bytes = commands.cancelOrderBytes
  const items = new Uint8Array(2 * bytes)
  const words = new Int32Array(items.buffer)
  for (const at of [0, bytes]) {
    words[(at + recordBytesAt) >> 2] = bytes
    words[(at + recordTypeAt) >> 2] = CommandType.CancelOrder
  }
  return items
}

test('the items of a bulk are each answered by their own outcome', () => {
  const memory = smallMemory()
  const port = new CommandPort(memory, 0)
  const core = new Ring(memory.commandRings[0]!, 'consumer')
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const heard: string[] = []
  const listener = (name: string) => ({ onOutcome: () => heard.push(name) })
  port.claim(commands.revokeAllAgentsBytes, CommandType.RevokeAllAgents, listener('single'))
  port.submit()
  assert.notEqual(port.claimBulk(twoItems(), [listener('one'), listener('two')]), engineBusy)
  port.submit()
  assert.equal(port.waiting, 3)
  core.next()
  const at = core.next()
  assert.equal(core.i32[(at + recordTypeAt) >> 2], CommandType.Bulk)
  assert.equal(core.i32[(at + commands.bulkCountAt) >> 2], 2)
  assert.equal(core.i32[(at + commands.commandRequestAt) >> 2], -1)
  const script = new EventScript(memory, 1)
  const requestOf = (item: number) =>
    core.i32[(at + commands.bulkItemsAt + item * 104 + commands.commandRequestAt) >> 2]!
  const answer = (request: number) => {
    const asker = { gateway: 0, request, command: CommandType.CancelOrder }
    script.order({ orderId: 1, wallet: walletOf(1), account: 0, instrument: 0, asker })
    script.commit()
    followEvents(log, (event) => port.dispatch(event))
  }
  answer(requestOf(1))
  answer(-1)
  answer(requestOf(0))
  answer(requestOf(0))
  assert.deepEqual(heard, ['two', 'one'])
  assert.equal(port.waiting, 1)
})

test('a bulk that finds no room, in the ring or among those who wait, leaves nothing behind', () => {
  const memory = smallMemory()
  const listener = { onOutcome: () => {} }
  const port = new CommandPort(memory, 0, 1)
  assert.equal(port.claimBulk(twoItems(), [listener, listener]), engineBusy)
  assert.equal(port.waiting, 0)
  const wide = new CommandPort(memory, 0)
  while (wide.claim(30_000, CommandType.RevokeAllAgents, listener) !== engineBusy) wide.submit()
  while (wide.claim(96, CommandType.RevokeAllAgents, listener) !== engineBusy) wide.submit()
  const before = wide.waiting
  assert.equal(wide.claimBulk(twoItems(), [listener, listener]), engineBusy)
  assert.equal(wide.waiting, before)
})

test('a core that was rung a moment ago is rung again at the end of the turn', () => {
  const memory = smallMemory()
  const port = new CommandPort(memory, 0)
  port.ringGapMillis = 60_000
  const bell = new Doorbell(memory.doorbells, doorbellOf.core)
  const isRung = () => bell.waitAsync(1) === null
  const send = () => {
    port.claim(commands.revokeAllAgentsBytes, CommandType.RevokeAllAgents, { onOutcome() {} })
    port.submit()
  }
  send()
  port.ringOwed()
  bell.arm()
  send()
  assert.ok(!isRung(), 'too soon')
  port.ringOwed()
  assert.ok(isRung(), 'the turn is over')
  bell.arm()
  port.ringOwed()
  assert.ok(!isRung(), 'nothing is owed')
})

test('who has given up hears nothing, and nobody else hears it in its place', () => {
  const memory = smallMemory()
  const port = new CommandPort(memory, 0, 2)
  const core = new Ring(memory.commandRings[0]!, 'consumer')
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const script = new EventScript(memory, 1)
  const heard: string[] = []
  /** @returns the request that the core sees. */
  const ask = (name: string) => {
    const listener = { onOutcome: () => heard.push(name) }
    port.claim(commands.revokeAllAgentsBytes, CommandType.RevokeAllAgents, listener)
    port.submit()
    return core.i32[(core.next() + commands.commandRequestAt) >> 2]!
  }
  const answer = (request: number) => {
    const asker = { gateway: 0, request, command: CommandType.CancelOrder }
    script.order({ orderId: 1, wallet: walletOf(1), account: 0, instrument: 0, asker })
    script.commit()
    followEvents(log, (event) => port.dispatch(event))
  }
  const lost = [ask('first'), ask('second')]
  port.forget()
  assert.equal(port.waiting, 0)
  const later = ask('later')
  assert.ok(!lost.includes(later), 'the places of the lost are not given away')
  for (const request of lost) answer(request)
  assert.deepEqual(heard, [])
  answer(later)
  assert.deepEqual([heard, port.waiting], [['later'], 0])
  assert.ok([...lost, later].includes(ask('next')), 'places whose outcome came are used again')
})
