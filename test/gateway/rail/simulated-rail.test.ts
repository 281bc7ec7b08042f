import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryUpdate } from '../../../gateway/rail/settlement-rail.js'
import { parseOutcomes, SimulatedRail } from '../../../gateway/rail/simulated-rail.js'
import { DeliveryStatus, deliveryStatusNames } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'

const [plain, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]
const delivery = {
  ...{ directiveId: 'd1', wallet: other, destination: plain },
  ...{ amountMicros: 5e6, seq: 7 },
}

/** Runs with a fresh folder. */
async function withFolder(
  use: (
    open: (outcomes?: string) => Promise<{ rail: SimulatedRail; statuses: string[] }>,
    file: string,
  ) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rail-'))
  const open = async (outcomes = '') => {
    const named = parseOutcomes(outcomes)
    const rail = await SimulatedRail.open({ dataDir, outcomes: named, stepMillis: 1 })
    const statuses: string[] = []
    rail.follow(async ({ delivery: step }: DeliveryUpdate) => {
      statuses.push(deliveryStatusNames[step]!)
      return true
    })
    return { rail, statuses }
  }
  try {
    await use(open, join(dataDir, 'rail.jsonl'))
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; !isSo(); looks++) {
    assert.ok(looks < 2000, 'not in time')
    await sleep(1)
  }
}

test('a delivery arrives at once, and is the same for every request', async () => {
  await withFolder(async (open) => {
    const { rail, statuses } = await open()
    assert.equal(rail.status('d1'), null)
    await Promise.all([rail.deliver(delivery), rail.deliver(delivery)])
    await until(() => statuses.length > 1)
    assert.equal(rail.status('d1')!.delivery, DeliveryStatus.Finalized)
    await rail.deliver(delivery)
    await sleep(5)
    assert.deepEqual(statuses, ['broadcasted', 'finalized', 'finalized'])
    await rail.close()
  })
})

test('another process continues at the end of the record, and a cut-off line never existed', async () => {
  await withFolder(async (open, file) => {
    const first = await open(`${plain}=held`)
    await first.rail.deliver(delivery)
    await sleep(5)
    assert.deepEqual(first.statuses, [])
    await first.rail.close()
    appendFileSync(file, '{"directiveId":"d1","delivery":9')
    const second = await open(`${plain}=unheard`)
    await second.rail.deliver(delivery)
    await until(() => second.rail.status('d1')!.delivery === DeliveryStatus.Finalized)
    assert.deepEqual(second.statuses, ['broadcasted'])
    await second.rail.close()
    const third = await open(`${plain}=reverted`)
    await third.rail.deliver(delivery)
    await until(() => third.statuses.length > 0)
    assert.deepEqual(third.statuses, ['finalized'], 'an end stays')
    await third.rail.close()
  })
})

test('nothing is delivered before the engine has journaled that it was broadcast', async () => {
  await withFolder(async (open) => {
    const { rail, statuses } = await open()
    rail.follow(async ({ delivery: step }) => {
      statuses.push(deliveryStatusNames[step]!)
      return false
    })
    await rail.deliver(delivery)
    await until(() => statuses.length > 0)
    await sleep(5)
    assert.deepEqual(statuses, ['broadcasted'])
    assert.equal(rail.status('d1')!.delivery, DeliveryStatus.Broadcasted)
    await rail.close()
  })
})

test('results are reported step by step', async () => {
  await withFolder(async (open) => {
    const wanted = {
      slow: 'broadcasted included pending_core_delivery awaiting_portfolio_snapshot finalized',
      core_rejected: 'broadcasted pending_core_delivery core_rejected',
      reverted: 'broadcasted reverted',
      expired: 'expired',
      dead_lettered: 'broadcasted manual_review dead_lettered',
    }
    for (const [name, steps] of Object.entries(wanted)) {
      const { rail, statuses } = await open(`${plain}=${name}`)
      await rail.deliver({ ...delivery, directiveId: name })
      await until(() => statuses.length === steps.split(' ').length)
      assert.deepEqual(statuses, steps.split(' '))
      await rail.close()
    }
  })
})

test('a preflight returns the configured result of the address', async () => {
  await withFolder(async (open) => {
    const { rail } = await open(`${plain}=inactive,${other}=source_unavailable`)
    assert.equal(await rail.preflight(plain), Result.WithdrawalDestinationInactive)
    assert.equal(await rail.preflight(other), Result.WithdrawalSourceUnavailable)
    assert.equal(await rail.preflight(`0x${'3'.repeat(40)}`), Result.Accepted)
    await rail.close()
  })
})

test('configured results are addresses with known names', () => {
  assert.equal(parseOutcomes('').size, 0)
  assert.equal(parseOutcomes(`${plain}=slow`).get(plain), 'slow')
  for (const text of ['x', `${plain}=never`, `${plain}=slow,`, plain]) {
    assert.throws(() => parseOutcomes(text), /is not address=result; results are .*slow/, text)
  }
})
