import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../engine/journal/node-files.js'
import type { Config } from '../config/config-schema.js'

const fileName = 'operator.token'
const fileMode = 0o600
const tokenBytes = 24
const tokenPattern = /^[A-Za-z0-9_-]{16,}$/

/**
 * Returns the token of the operator interface: the configured one, otherwise in development the one in `operator.token`
 * of the data directory, created at the first start and readable by its owner only. '' if there is none.
 */
export function operatorToken(config: Config): string {
  if (config.operator.token !== '' || config.preset !== 'development') return config.operator.token
  makeDirectory(config.dataDir)
  const path = join(config.dataDir, fileName)
  const kept = readToken(path)
  if (kept !== null) return kept
  const token = randomBytes(tokenBytes).toString('base64url')
  writeFileSync(path, `${token}\n`, { mode: fileMode })
  // Overwriting a file keeps its mode.
  chmodSync(path, fileMode)
  return token
}

function readToken(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return tokenPattern.test(text) ? text : null
  } catch {
    return null // none yet, or not readable: a new one is made, or the write reports the error
  }
}
