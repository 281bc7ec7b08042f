import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  DataLockHeld,
  folderFault,
  lockDataDirectory,
  queryHolder,
} from '../../../engine/journal/data-lock.js'

function temporaryDirectory(context: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'strikebook-lock-'))
  context.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

async function startHolder(context: TestContext, directory: string) {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, 'lock-holder.js'), directory],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  context.after(() => child.kill('SIGKILL'))
  const [said] = await once(child.stdout!, 'data')
  return { child, said: String(said).trim() }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

test('the lock keeps a second process out until SIGKILL ends the first', async (context) => {
  const directory = temporaryDirectory(context)
  const { child, said } = await startHolder(context, directory)
  assert.equal(said, 'locked')
  await assert.rejects(
    lockDataDirectory(directory),
    (error) => error instanceof DataLockHeld && error.processId === child.pid,
  )
  await end(child, 'SIGKILL')
  assert.equal(readdirSync(directory).length, 1, 'the killed process has left its file')
  const lock = await lockDataDirectory(directory)
  assert.equal(readdirSync(directory).length, 1, 'the new holder has removed the leftover file')
  await lock.release()
  assert.deepEqual(readdirSync(directory), [])
})

test('a stopped process still holds its lock', async (context) => {
  const directory = temporaryDirectory(context)
  const { child } = await startHolder(context, directory)
  child.kill('SIGSTOP')
  await assert.rejects(lockDataDirectory(directory), DataLockHeld)
  await assert.rejects(lockDataDirectory(directory), DataLockHeld)
  await end(child, 'SIGKILL')
})

test('a process cannot take the lock twice, but can after a release', async (context) => {
  const directory = join(temporaryDirectory(context), 'not', 'there', 'yet')
  const lock = await lockDataDirectory(directory)
  await assert.rejects(lockDataDirectory(directory), DataLockHeld)
  await lock.release()
  await (await lockDataDirectory(directory)).release()
})

test('of many processes that start at once at most one gets the lock', async (context) => {
  const directory = temporaryDirectory(context)
  for (let round = 0; round < 10; round++) {
    const starts = Array.from({ length: 8 }, () => lockDataDirectory(directory))
    const results = await Promise.allSettled(starts)
    const winners = results.filter((result) => result.status === 'fulfilled')
    assert.ok(winners.length <= 1, `${winners.length} winners in round ${round}`)
    for (const winner of winners) await winner.value.release()
  }
  await (await lockDataDirectory(directory)).release()
})

test('the lock accepts a path longer than a socket address', async (context) => {
  const directory = join(temporaryDirectory(context), 'd'.repeat(120), 'e'.repeat(120))
  const lock = await lockDataDirectory(directory)
  await assert.rejects(lockDataDirectory(directory), DataLockHeld)
  await lock.release()
})

test('the lock treats a plain file in place of its socket as a leftover', async (context) => {
  const directory = temporaryDirectory(context)
  writeFileSync(join(directory, `lock-1-${'0'.repeat(16)}.sock`), '')
  await (await lockDataDirectory(directory)).release()
  assert.deepEqual(readdirSync(directory), [])
})

test('the lock outlives the deletion of its file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'strikebook-lock-'))
  const lock = await lockDataDirectory(directory)
  for (const name of readdirSync(directory)) rmSync(join(directory, name))
  await assert.rejects(lockDataDirectory(directory), /in use by process of unknown id/)
  await lock.release()
  await (await lockDataDirectory(directory)).release()
  rmSync(directory, { recursive: true })
})

test('the error names a folder that cannot be locked, with reason and remedy', async (context) => {
  // The kernel's own file systems hold no sockets, and without privileges the folder is not writable.
  await assert.rejects(
    lockDataDirectory('/sys/kernel'),
    /^Error: data directory \/sys\/kernel: (its file system|user \d+).* \(E[A-Z]+\); .* with --data-dir$/,
  )
  const file = join(temporaryDirectory(context), 'file')
  writeFileSync(file, '')
  await assert.rejects(
    lockDataDirectory(join(file, 'data')),
    /: the path leads through a file \(ENOTDIR\); name a folder with --data-dir$/,
  )
})

test("the reason is that of the error code, and an unknown socket error counts as the file system's", () => {
  const words = (code: string, operation: 'open' | 'listen') => {
    const error = Object.assign(new Error('what it said'), { code })
    return folderFault('/mnt/usb', error, operation).message
  }
  for (const code of ['EPERM', 'EOPNOTSUPP', 'ENOSYS', 'EIO']) {
    assert.equal(
      words(code, 'listen'),
      `data directory /mnt/usb: its file system holds no Unix sockets, which its lock needs (${code}); ` +
        'name a folder on a local file system (ext4, xfs, btrfs, tmpfs) with --data-dir',
    )
  }
  for (const operation of ['open', 'listen'] as const) {
    assert.match(words('EACCES', operation), /user \d+ may not write there \(EACCES\); make this/)
    assert.match(words('EROFS', operation), /read-only \(EROFS\); mount it writable, or name/)
    assert.match(words('ENOSPC', operation), /full \(ENOSPC\); make room, or name another folder/)
  }
  assert.match(
    words('EIO', 'open'),
    /\/mnt\/usb: what it said; name another folder with --data-dir/,
  )
})

test('the lock publishes a text until its holder is gone', async (context) => {
  const directory = temporaryDirectory(context)
  assert.equal(await queryHolder(directory), null)
  const lock = await lockDataDirectory(directory)
  assert.equal(await queryHolder(directory), '')
  lock.publish('http://127.0.0.1:8080')
  assert.equal(await queryHolder(directory), 'http://127.0.0.1:8080')
  await lock.release()
  const { child } = await startHolder(context, directory)
  assert.equal(await queryHolder(directory), '')
  await end(child, 'SIGKILL')
  assert.equal(await queryHolder(directory), null)
})
