import { createECDH } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../engine/journal/node-files.js'
import { setFileAside, writeWholeFile } from '../../engine/journal/whole-file.js'
import type { Config } from '../config/config-schema.js'

/** The pair of keys by which push services know the venue, base64url. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** In the data folder. */
export const vapidFile = 'push-vapid.json'
const fileMode = 0o600
const privateKeyBytes = 32

/**
 * The configured keys, or those of `push-vapid.json` in the data directory, made at the first start and readable by
 * its owner only. Browsers subscribe for one pair: with another one they have to subscribe again, so a file that cannot
 * be read is set aside, and said.
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
    onNote(`push: ${path} was no pair of keys: browsers have to subscribe again`)
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

/** Null where there is none, or what is there does not belong together. */
export function readKeys(path: string): VapidKeys | null {
  try {
    const { publicKey, privateKey } = JSON.parse(readFileSync(path, 'utf8')) as VapidKeys
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    return pair.getPublicKey().toString('base64url') === publicKey
      ? { publicKey, privateKey }
      : null
  } catch {
    return null // missing, or not ours to read: the write says why not
  }
}
