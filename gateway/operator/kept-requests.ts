import { existsSync, readFileSync } from 'node:fs'
import { setFileAside, writeWholeFile } from '../../engine/journal/whole-file.js'
import { errorOf } from '../../engine/threads/error-of.js'
import { isJsonObject, type JsonObject } from '../wire/request-fields.js'
import type { AuditRequest } from './audit-log.js'

/** In the data folder. */
export const approvalsFile = 'operator-approvals.json'

/** A request that waits for a second word, as it outlives the process. */
export interface KeptRequest {
  readonly told: AuditRequest
  /** As it was received. */
  readonly body: JsonObject
  readonly requestedMillis: number
  readonly expiresMillis: number
}

/** The requests that wait, in a file that is written anew with each change. */
export class KeptRequests {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /**
   * What waited when the process before this one ended.
   * @param onDamaged hears what is wrong with a file that cannot be read, and gets another name: what waited has to be asked
   * for anew.
   */
  read(onDamaged: (text: string) => void): readonly KeptRequest[] {
    if (!existsSync(this.#path)) return []
    try {
      return readRequests(this.#path)
    } catch (error) {
      const aside = setFileAside(this.#path)
      onDamaged(
        `${errorOf(error).message}: it is ${aside} now, and what waited has to be asked for anew`,
      )
      return []
    }
  }

  /** @returns once they are on disk. */
  write(waiting: readonly KeptRequest[]): void {
    const rows = waiting.map(({ told, body, requestedMillis, expiresMillis }) => {
      return { told, body, requestedMillis, expiresMillis }
    })
    writeWholeFile(this.#path, `${JSON.stringify(rows, null, 2)}\n`)
  }
}

/** @throws Error that names the file when it is no list of such requests. */
export function readRequests(path: string): readonly KeptRequest[] {
  const rows: unknown = parsed(path)
  if (!Array.isArray(rows) || !rows.every(isRequest))
    throw new Error(`${path}: no list of requests`)
  return rows
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path}: ${errorOf(error).message}`)
  }
}

function isRequest(row: unknown): row is KeptRequest {
  if (!isJsonObject(row) || !isJsonObject(row['told']) || !isJsonObject(row['body'])) return false
  const { told, requestedMillis, expiresMillis } = row
  const isNamed = ['approval_id', 'identity', 'method', 'path'].every(
    (name) => typeof (told as JsonObject)[name] === 'string',
  )
  return isNamed && Number.isSafeInteger(requestedMillis) && Number.isSafeInteger(expiresMillis)
}
