import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../bench/event-script.js'
import { followEvents } from '../../../bench/follow-events.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { logReaders, wakeupOf } from '../../../engine/memory/exchange-memory.js'
import { Ring } from '../../../engine/memory/ring.js'
import { Wakeup } from '../../../engine/memory/wakeup.js'
import { CommandPort, type OutcomeListener } from '../../../gateway/link/command-port.js'
import {
  AnyCommand,
  BulkCommand,
  CancelOrderCommand,
  CommandType,
  RevokeAllAgentsCommand,
} from '../../../schemas/generated/commands.js'
import { type RecordSink, viewsOf } from '../../../schemas/record-views.js'

/** Two cancel records, back to back. */
function twoItems(): Uint8Array {
  const { bytes } = CancelOrderCommand
  const views = viewsOf(new ArrayBuffer(2 * bytes))
  const cancel = new CancelOrderCommand()
  for (const at of [0, bytes]) {
    cancel.over(views, at)
    cancel.recordBytes = bytes
    cancel.recordType = CommandType.CancelOrder
  }
  return views.u8
}

/** Sends a command. @returns true if there was room. */
function revoke(port: CommandPort, listener: OutcomeListener): boolean {
  return port.send(listener, (sink) => new RevokeAllAgentsCommand().claim(sink)) === null
}

test('each item of a bulk gets its own acknowledgement', () => {
  const memory = smallMemory()
  const port = new CommandPort(memory, 0)
  const core = new Ring(memory.commandRings[0]!, 'consumer')
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const heard: string[] = []
  const listener = (name: string) => ({ onOutcome: () => heard.push(name) })
  revoke(port, listener('single'))
  assert.ok(port.claimBulk(twoItems(), [listener('one'), listener('two')]))
  port.submit()
  assert.equal(port.waiting, 3)
  core.next()
  const bulk = new BulkCommand().over(core, core.next())
  assert.equal(bulk.recordType, CommandType.Bulk)
  assert.equal(bulk.count, 2)
  assert.equal(bulk.request, -1)
  const script = new EventScript(memory, 1)
  const requestOf = (item: number) =>
    new AnyCommand().over(core, bulk.itemsAt + item * CancelOrderCommand.bytes).request
  const answer = (request: number) => {
    const requester = { gateway: 0, request, command: CommandType.CancelOrder }
    script.order({ orderId: 1, wallet: walletOf(1), account: 0, instrument: 0, requester })
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

test('a bulk without room in the ring or among the listeners leaves nothing', () => {
  const memory = smallMemory()
  const listener = { onOutcome: () => {} }
  const port = new CommandPort(memory, 0, 1)
  assert.ok(!port.claimBulk(twoItems(), [listener, listener]))
  assert.equal(port.waiting, 0)
  const wide = new CommandPort(memory, 0)
  const claimMuch = (sink: RecordSink) => sink.tryClaim(30_000, CommandType.RevokeAllAgents) >= 0
  while (wide.send(listener, claimMuch) === null);
  while (revoke(wide, listener));
  const before = wide.waiting
  assert.ok(!wide.claimBulk(twoItems(), [listener, listener]))
  assert.equal(wide.waiting, before)
})

test('a core that was woken a moment ago is woken again at the end of the turn', () => {
  const memory = smallMemory()
  const port = new CommandPort(memory, 0)
  port.ringGapMillis = 60_000
  const bell = new Wakeup(memory.wakeups, wakeupOf.core)
  const isRung = () => bell.waitAsync(1) === null
  const send = () => revoke(port, { onOutcome() {} })
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

test('a dropped listener receives nothing, and no other listener receives it instead', () => {
  const memory = smallMemory()
  const port = new CommandPort(memory, 0, 2)
  const core = new Ring(memory.commandRings[0]!, 'consumer')
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const script = new EventScript(memory, 1)
  const heard: string[] = []
  /** @returns the request that the core sees. */
  const ask = (name: string) => {
    const listener = { onOutcome: () => heard.push(name) }
    revoke(port, listener)
    return new AnyCommand().over(core, core.next()).request
  }
  const answer = (request: number) => {
    const requester = { gateway: 0, request, command: CommandType.CancelOrder }
    script.order({ orderId: 1, wallet: walletOf(1), account: 0, instrument: 0, requester })
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
