import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { commandOf } from '../../../gateway/operator/operator-commands.js'
import { OperatorPort } from '../../../gateway/operator/operator-port.js'
import { operatorRingBytes } from '../../../schemas/bounds.js'
import { HaltMode } from '../../../schemas/domain.js'
import { SetHaltCommand } from '../../../schemas/generated/commands.js'
import { EventType } from '../../../schemas/generated/events.js'
import { Result } from '../../../schemas/results.js'
import { OperatorCore } from '../../support/operator-core.js'

const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

function setUp() {
  const core = new OperatorCore()
  const port = new OperatorPort(core.memory)
  closers.push(() => core.close())
  return { core, port }
}

const halt = commandOf(SetHaltCommand, { underlyingText: 'BTC', mode: HaltMode.Halted })

test('each of many pending commands gets its own result', async () => {
  const { port } = setUp()
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => port.send(halt)))
  assert.deepEqual(
    outcomes.map(({ seq }) => seq),
    Array.from({ length: 200 }, (_, index) => index + 1),
  )
  assert.ok(outcomes.every(({ result, changed }) => result === Result.Accepted && changed))
})

test('a full ring is answered at once, and the rest later', async () => {
  const { core, port } = setUp()
  core.isHeld = true
  const fitting = Math.floor(operatorRingBytes / SetHaltCommand.bytes)
  const sent = Array.from({ length: fitting + 1 }, () => port.send(halt))
  assert.equal((await sent.at(-1)!).result, Result.EngineBusy)
  core.isHeld = false
  assert.equal((await sent[0]!).result, Result.Accepted)
  await Promise.all(sent)
})

test('events of an idle time are skipped, and those of a start are read', async () => {
  const { core, port } = setUp()
  core.publishNoise(3)
  const types: number[] = []
  assert.equal(
    port.readBootstrap(({ recordType }) => types.push(recordType)),
    true,
  )
  assert.deepEqual(types, [EventType.Outcome, EventType.Outcome, EventType.Outcome])
  // Twice the whole log: a reader without progress would have been overrun.
  core.publishNoise(500_000)
  assert.equal((await port.send(halt)).result, Result.Accepted)
})

test('a start that the log no longer holds is reported as lost', () => {
  const { core, port } = setUp()
  core.publishNoise(500_000)
  assert.equal(
    port.readBootstrap(() => {}),
    false,
  )
})

test('a waiting command whose events were overwritten is answered as lost', async () => {
  const { core, port } = setUp()
  core.isHeld = true
  const sent = port.send(halt)
  core.publishNoise(500_000)
  assert.equal((await sent).result, Result.InternalError)
})

test('commands that wait at the stop, and later ones, are not ready', async () => {
  const { core, port } = setUp()
  core.isHeld = true
  const sent = port.send(halt)
  port.close()
  assert.equal((await sent).result, Result.NotReady)
  assert.equal((await port.send(halt)).result, Result.NotReady)
})
