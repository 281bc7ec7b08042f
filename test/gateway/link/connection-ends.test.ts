import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallMemory } from '../../../bench/event-script.js'
import { Ring } from '../../../engine/memory/ring.js'
import { CommandPort } from '../../../gateway/link/command-port.js'
import { ConnectionEnds } from '../../../gateway/link/connection-ends.js'
import { EndConnectionCommand } from '../../../schemas/generated/commands.js'
import { formatAddress } from '../../../schemas/wallet.js'

const wallets = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}`)

/** @param room commands that may be under way at once. */
function rig(room: number) {
  const memory = smallMemory()
  const port = new CommandPort(memory, 0, room)
  const ring = new Ring(memory.commandRings[0]!, 'consumer')
  const command = new EndConnectionCommand()
  /** Returns the commands since the last call. */
  const sent = () => {
    const seen: (readonly [string, number])[] = []
    for (let at = ring.next(); at >= 0; at = ring.next()) {
      const { u8, walletAt, session } = command.over(ring, at)
      seen.push([formatAddress(u8, walletAt), session])
    }
    ring.release()
    return seen
  }
  return { port, ends: new ConnectionEnds(port), sent }
}

test('an end is reported at once if there is room', () => {
  const { ends, sent } = rig(8)
  ends.tell(wallets[0]!, 7)
  assert.deepEqual(sent(), [[wallets[0], 7]])
  assert.equal(ends.waiting, 0)
})

test('without room, ends wait in their order and are reported once', () => {
  const { port, ends, sent } = rig(1)
  for (const [index, wallet] of wallets.entries()) ends.tell(wallet, index)
  assert.deepEqual(sent(), [[wallets[0], 0]])
  ends.retry()
  assert.deepEqual([sent(), ends.waiting], [[], 2])
  port.forget()
  ends.retry()
  assert.deepEqual([sent(), ends.waiting], [[[wallets[1], 1]], 1])
  port.forget()
  ends.tell(wallets[0]!, 9)
  assert.deepEqual([sent(), ends.waiting], [[], 2], 'nobody overtakes who waits')
  ends.retry()
  port.forget()
  ends.retry()
  assert.deepEqual(sent(), [
    [wallets[2], 2],
    [wallets[0], 9],
  ])
  assert.equal(ends.waiting, 0)
})

test('connections have their own numbers', () => {
  const { ends } = rig(1)
  assert.notEqual(ends.next(), ends.next())
})
