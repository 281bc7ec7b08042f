import { STATUS_CODES } from 'node:http'

const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]),
)

/** Formats a status for the first line of an answer. */
export function statusLine(status: number): string {
  return statusLines.get(status) ?? String(status)
}
