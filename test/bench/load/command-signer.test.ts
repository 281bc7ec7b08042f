import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { planCommands } from '../../../bench/load/command-plan.js'
import { CommandSigner } from '../../../bench/load/command-signer.js'
import { walletKeys } from '../../../bench/load/load-wallets.js'
import type { SigningThreadData } from '../../../bench/load/signing-thread.js'
import { plannedBytes } from '../../../bench/load/wire-command.js'
import { createSigner } from '../../../gateway/client/signer.js'

const commandsPerJob = 2048
const aheadMax = 2 * commandsPerJob
const ticks = [{ aboveMicros: 0, tickMicros: 1 }]
const privateKeys = walletKeys('signer test', 2)
const domain = { name: 'Strikebook', version: '1', chainId: 31_337 }

/** A plan of as many commands, and the signer of it. */
function signerOf(count: number) {
  const plan = planCommands({
    count,
    wallets: privateKeys.length,
    instruments: [{ symbol: 'BTC-20991231-100000-C', middleMicros: 250_000_000, ticks }],
    mix: { place: 2, cancel: 1, replace: 1, take: 1 },
    openOrders: 100,
    settleCommands: 10,
    seed: 3,
  })
  const data: SigningThreadData = {
    ...{ count, memory: plan.memory, privateKeys, domain },
    symbols: ['BTC-20991231-100000-C'],
    ...{ firstNonce: 1_700_000_000_000, tag: 'test-', transport: 'stream', host: 'venue:1' },
  }
  const contexts = privateKeys.map((key) => {
    const signer = createSigner(key)
    return { domain, signer, wallet: signer.address }
  })
  return { signer: new CommandSigner({ data, aheadMax }), parts: { ...data, plan, contexts } }
}

test('a plan longer than the signed part is signed while it runs, each command as if alone', async (context) => {
  const count = 3 * commandsPerJob + 10
  const { signer, parts } = signerOf(count)
  context.after(() => signer.close())
  await signer.ready()
  assert.throws(() => signer.bytesOf(count - 1), /overtaken/)
  const take = async (index: number): Promise<Uint8Array> => {
    for (;;) {
      try {
        return signer.bytesOf(index)
      } catch {
        await sleep(1) // overtaken: a sender with a clock would have to end here
      }
    }
  }
  for (let index = 0; index < count; index++) {
    const bytes = await take(index)
    if (index % 97 > 0 && index < count - 1) continue
    assert.deepEqual(Buffer.from(bytes), plannedBytes(parts, index), `command ${index}`)
  }
})

test('a plan that fits is signed before it begins', async (context) => {
  const { signer } = signerOf(10)
  context.after(() => signer.close())
  await signer.ready()
  for (let index = 0; index < 10; index++) assert.ok(signer.bytesOf(index).length > 0)
})
