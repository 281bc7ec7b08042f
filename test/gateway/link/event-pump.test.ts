import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory } from '../../../bench/event-script.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { logReaders, wakeupOf } from '../../../engine/memory/exchange-memory.js'
import { Wakeup } from '../../../engine/memory/wakeup.js'
import { EventPump } from '../../../gateway/link/event-pump.js'
import { EventType } from '../../../schemas/generated/events.js'

const hourMillis = 3_600_000

/** No clock ends its sleeps: who is woken was rung. */
class ClocklessWakeup extends Wakeup {
  override waitAsync(): Promise<unknown> | null {
    return super.waitAsync(hourMillis)
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1))
}

function rig(eventLogBytes = 1 << 20) {
  const memory = smallMemory(1, eventLogBytes)
  const script = new EventScript(memory, 1000)
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const bell = new ClocklessWakeup(memory.wakeups, wakeupOf.gateway(0))
  const calls: string[] = []
  const side = { replies: 0 }
  const pump = new EventPump(
    log,
    bell,
    'park',
    {
      onEvent: ({ recordType }) => calls.push(`event ${recordType}`),
      onRunEnd: (isStepComplete) => calls.push(isStepComplete ? 'end' : 'end inside a step'),
      onLapped: () => calls.push('lapped'),
    },
    { hasNext: () => side.replies > 0, take: () => side.replies },
  )
  return { script, log, bell, pump, calls }
}

test('a run delivers every durable event, then its end', () => {
  const { script, pump, calls } = rig()
  script.indexPrice(0, 5)
  script.cleared(0)
  assert.equal(pump.run(), 0, 'nothing is durable yet')
  script.commit()
  assert.equal(pump.run(), 2)
  assert.deepEqual(calls, [
    `event ${EventType.IndexPrice}`,
    `event ${EventType.BookCleared}`,
    'end',
  ])
  assert.equal(pump.lastSeq, 2)
  assert.equal(pump.run(), 0)
})

test('a run is bounded, and reports if it stopped between two events of a step', () => {
  const { script, pump, calls } = rig()
  for (let i = 0; i < 300; i++) script.cleared(0)
  script.commit()
  assert.equal(pump.run(), 256)
  assert.equal(calls.at(-1), 'end inside a step')
  assert.equal(pump.run(), 44)
  assert.equal(calls.at(-1), 'end')
})

test('events that were overwritten before they left reach nobody', () => {
  const { script, pump, calls } = rig(1 << 16)
  for (let i = 0; i < 3000; i++) script.indexPrice(0, 5)
  script.commit()
  pump.run()
  assert.equal(calls.at(-1), 'lapped')
  assert.ok(!calls.includes('end'))
})

test('it sleeps until its wakeup', async () => {
  const { script, bell, pump, calls } = rig()
  pump.start()
  await new Promise((resolve) => setTimeout(resolve, 20))
  script.cleared(0)
  script.commit()
  assert.equal(calls.length, 0, 'asleep: nobody rang')
  bell.ring()
  await until(() => calls.length > 0)
  assert.deepEqual(calls, [`event ${EventType.BookCleared}`, 'end'])
  pump.stop()
})

test('a poke wakes it without the wakeup word', async () => {
  const { script, pump, calls } = rig()
  pump.start()
  await new Promise((resolve) => setTimeout(resolve, 20))
  script.cleared(0)
  script.commit()
  assert.equal(calls.length, 0, 'asleep: nobody rang')
  pump.poke()
  await until(() => calls.length > 0)
  assert.deepEqual(calls, [`event ${EventType.BookCleared}`, 'end'])
  pump.stop()
})

test('a pump that was poked sleeps again, and is woken again', async () => {
  const { script, bell, pump, calls } = rig()
  pump.start()
  for (let round = 1; round <= 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    pump.poke()
    await new Promise((resolve) => setTimeout(resolve, 10))
    script.cleared(0)
    script.commit()
    bell.ring()
    await until(() => calls.length === 2 * round)
  }
  pump.stop()
})
