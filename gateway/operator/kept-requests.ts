import { existsSync, readFileSync } from 'node:fs'
import { setFileAside, writeWholeFile } from '../../engine/journal/whole-file.js'
import { errorOf } from '../../engine/threads/error-of.js'
import { isJsonObject, type JsonObject } from '../wire/request-fields.js'
import type { AuditRequest } from './audit-log.js'

/** Name in the data folder. */
export const approvalsFile = 'operator-approvals.json'

/** Pending request as stored across restarts. */
export interface KeptRequest {
  readonly audited: AuditRequest
  /** Body as the venue received it. */
  readonly body: JsonObject
  readonly requestedMillis: number
  readonly expiresMillis: number
}

/** Store of the pending requests: a file that each change rewrites. */
export class KeptRequests {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Reads the requests that were pending when the previous process ended.
   * @param onDamaged Receives the fault of an unreadable file, which is renamed: its requests must be made again.
   */
  read(onDamaged: (text: string) => void): readonly KeptRequest[] {
    if (!existsSync(this.#path)) return []
    try {
      return readRequests(this.#path)
    } catch (error) {
      const aside = setFileAside(this.#path)
      onDamaged(
        `${errorOf(error).message}: it is ${aside} now, and pending requests must be made again`,
      )
      return []
    }
  }

  /** Writes the pending requests durably. */
  write(waiting: readonly KeptRequest[]): void {
    const rows = waiting.map(({ audited, body, requestedMillis, expiresMillis }) => {
      return { audited, body, requestedMillis, expiresMillis }
    })
    writeWholeFile(this.#path, `${JSON.stringify(rows, null, 2)}\n`)
  }
}

/**
 * @throws Error that names the file if it is not a list of requests.
 */
export function readRequests(path: string): readonly KeptRequest[] {
  const rows: unknown = parseFile(path)
  if (!Array.isArray(rows) || !rows.every(isRequest))
    throw new Error(`${path}: not a list of requests`)
  return rows
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path}: ${errorOf(error).message}`)
  }
}

function isRequest(row: unknown): row is KeptRequest {
  if (!isJsonObject(row) || !isJsonObject(row['audited']) || !isJsonObject(row['body']))
    return false
  const { audited, requestedMillis, expiresMillis } = row
  const isNamed = ['approval_id', 'identity', 'method', 'path'].every(
    (name) => typeof (audited as JsonObject)[name] === 'string',
  )
  return isNamed && Number.isSafeInteger(requestedMillis) && Number.isSafeInteger(expiresMillis)
}
