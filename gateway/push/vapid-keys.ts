import { createECDH } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../engine/journal/node-files.js'
import { setFileAside, writeWholeFile } from '../../engine/journal/whole-file.js'
import type { Config } from '../config/config-schema.js'

/** Key pair that identifies the venue to push services, base64url. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Name in the data folder. */
export const vapidFile = 'push-vapid.json'
const fileMode = 0o600
const privateKeyBytes = 32

/**
 * Returns the configured keys, or those of `push-vapid.json` in the data directory, created at the first start and
 * readable by its owner only. Browser subscriptions depend on the pair, so a file that cannot be read is quarantined
 * and reported.
 */
export function vapidKeys({ dataDir, push }: Config, onNote: (text: string) => void): VapidKeys {
  if (push.vapid.privateKey !== '') return push.vapid
  makeDirectory(dataDir)
  const path = join(dataDir, vapidFile)
  const kept = readKeys(path)
  if (kept !== null) {
    chmodSync(path, fileMode)
    return kept
  }
  if (existsSync(path)) {
    setFileAside(path)
    onNote(
      `push: ${path} had no valid key pair; created a new one, so browsers must subscribe again`,
    )
  }
  const keys = newKeys()
  writeWholeFile(path, `${JSON.stringify(keys)}\n`)
  return keys
}

function newKeys(): VapidKeys {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys().toString('base64url')
  const bytes = pair.getPrivateKey()
  const padded = Buffer.concat([Buffer.alloc(privateKeyBytes - bytes.length), bytes])
  return { publicKey, privateKey: padded.toString('base64url') }
}

/** Reads a key pair; null if it is missing or inconsistent. */
export function readKeys(path: string): VapidKeys | null {
  try {
    const { publicKey, privateKey } = JSON.parse(readFileSync(path, 'utf8')) as VapidKeys
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    return pair.getPublicKey().toString('base64url') === publicKey
      ? { publicKey, privateKey }
      : null
  } catch {
    return null // missing or unreadable: a write reports the error
  }
}
