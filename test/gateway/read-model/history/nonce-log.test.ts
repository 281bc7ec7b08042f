import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { randomFrom } from '../../../../bench/book-replay/book-flow.js'
import { walletOf } from '../../../../bench/event-script.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { NonceLog } from '../../../../gateway/read-model/history/nonce-log.js'
import type { OutcomeEvent } from '../../../../schemas/generated/events.js'

/** More transactions than the log keeps. */
const transactions = 5000

function outcomeOf(account: number, signer: number, high: number, low: number): OutcomeEvent {
  const u8 = Buffer.from(walletOf(account).slice(2), 'hex')
  const facts = { u8, walletAt: 0 }
  return { facts, signer, nonceHigh: high, nonceLow: low } as unknown as OutcomeEvent
}

test('the table has the highest nonce of each signer, also after a crash before it absorbs the log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nonce-log-'))
  const random = randomFrom(4)
  const below = (end: number) => Math.floor(random() * end)
  const wanted = new Map<string, readonly [high: number, low: number, seq: number]>()
  let seq = 0
  try {
    for (let start = 0; start < 3; start++) {
      const database = openHistory(folder)
      const log = new NonceLog(database)
      database.exec('begin')
      for (let i = 0; i < transactions / 2; i++) {
        seq++
        const [account, signer, high] = [below(3), below(2), below(2 ** 32)]
        const low = below(2 ** 32)
        log.add(outcomeOf(account, signer, high | 0, low | 0), seq)
        log.flush()
        const key = `${walletOf(account)} ${signer}`
        const [knownHigh, knownLow] = wanted.get(key) ?? [0, 0]
        const isHigher = high > knownHigh || (high === knownHigh && low > knownLow)
        wanted.set(key, isHigher ? [high, low, seq] : [knownHigh, knownLow, seq])
      }
      database.exec('commit')
      database.close()
    }
    const database = openHistory(folder)
    const left = () =>
      (database.prepare('select count(*) as left from nonce_log').get() as { left: number }).left
    assert.ok(left() > 0 && left() < transactions)
    new NonceLog(database).absorb()
    assert.equal(left(), 0)
    const rows = database.prepare('select * from nonces').raw().all() as unknown as number[][]
    const found = rows.map(([wallet, signer, ...of]) => [`${wallet} ${signer}`, of] as const)
    assert.deepEqual(new Map<string, unknown>(found), wanted)
    database.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
