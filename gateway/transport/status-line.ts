import { STATUS_CODES } from 'node:http'

const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]),
)

/** A status as the first line of an answer has it. */
export function statusLine(status: number): string {
  return statusLines.get(status) ?? String(status)
}
