import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Counters } from '../../../engine/memory/counters.js'
import {
  allocateExchangeMemory,
  flagWords,
  wakeupOf,
} from '../../../engine/memory/exchange-memory.js'
import { steadyMillis } from '../../../engine/memory/steady-clock.js'
import { endOfThread } from '../../../engine/threads/thread-end.js'

const folder = mkdtempSync(join(tmpdir(), 'thread-end-'))
after(() => rmSync(folder, { recursive: true }))
const memory = allocateExchangeMemory(1, 1)

/** Runs code as a thread until it ends. */
async function ended(name: string, code: string) {
  const url = pathToFileURL(join(folder, name))
  writeFileSync(url, code)
  const [exitCode] = await once(new Worker(url), 'exit')
  return { role: 'journal', url, exitCode, lastMessage: null }
}

test('a thread whose file is being written ends without an error, and the text says so', async () => {
  const text = endOfThread(memory, await ended('journal-thread.mjs', ''))
  assert.match(text, /exit code 0: its code never ran; \S+journal-thread\.mjs has 0 bytes: a build/)
  assert.match(text, /last message: none; last heartbeat: none; raised flags: none$/)
})

test('a module that waits forever is named', async () => {
  const text = endOfThread(memory, await ended('wait.mjs', 'await new Promise(() => {})'))
  assert.match(text, /exit code 13: its module awaits a promise that never settles/)
})

test('the text about a working thread has its last message, heartbeat and the flags', async () => {
  new Counters(memory.counters, wakeupOf.journal).beat(steadyMillis() - 5)
  Atomics.store(new Int32Array(memory.flags), flagWords.journalDone, 1)
  const end = { ...(await ended('done.mjs', '1')), lastMessage: 'started' }
  const text = endOfThread(memory, end)
  assert.match(text, /its loop returned, or it was terminated; last message: started/)
  assert.match(text, /last heartbeat: \d+ ms before; raised flags: journalDone$/)
})
