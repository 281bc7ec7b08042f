import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import webPush from 'web-push'
import type { Config } from '../../../gateway/config/config-schema.js'
import { vapidKeys } from '../../../gateway/push/vapid-keys.js'

const none = { publicKey: '', privateKey: '' }

function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'vapid-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function keysIn(dataDir: string, vapid = none, notes: string[] = []) {
  return vapidKeys({ dataDir, push: { vapid } } as Config, (note) => notes.push(note))
}

test('a pair is made once, valid for the library, readable by its owner alone', (context) => {
  const folder = folderOf(context)
  const keys = keysIn(folder)
  assert.doesNotThrow(() => {
    // Throws for an invalid pair; `setVapidDetails` would affect every other test of the process.
    const { publicKey, privateKey } = keys
    const sub = 'mailto:a@b.example'
    webPush.getVapidHeaders('https://push.example', sub, publicKey, privateKey, 'aes128gcm')
  })
  const path = join(folder, 'push-vapid.json')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  chmodSync(path, 0o644)
  assert.deepEqual(keysIn(folder), keys)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(folder), ['push-vapid.json'])
})

test('a configured pair is stored nowhere else', (context) => {
  const folder = folderOf(context)
  const given = webPush.generateVAPIDKeys()
  assert.deepEqual(keysIn(folder, given), given)
  assert.deepEqual(readdirSync(folder), [])
})

test('an invalid file is renamed and reported', (context) => {
  const folder = folderOf(context)
  const [one, other] = [keysIn(folder), webPush.generateVAPIDKeys()]
  for (const text of ['{}', 'x', JSON.stringify({ ...one, publicKey: other.publicKey })]) {
    writeFileSync(join(folder, 'push-vapid.json'), text)
    const notes: string[] = []
    const made = keysIn(folder, none, notes)
    assert.notEqual(made.privateKey, one.privateKey)
    assert.match(notes.join(), /must subscribe again/)
  }
})
