import { createHash } from 'node:crypto'
import type { ReplayFlow } from './replay-flow.js'
import { ReportType, reportField, reportWords } from './report-record.js'

const lineBytesMax = 80
const bufferBytes = 1 << 20
const typesMax = 8
const comma = 44
const newline = 10
const minus = 45
const zero = 48
const { sequence, terms, handle, priceIndex, taker } = reportField

/**
 * Returns the SHA-256 of the reports of a run as lines. Reports must be in the order of (sequence, type). This is checked
 * instead of sorting them, which would hide a book that reports late.
 * @param words reports, one after the other.
 * @throws Error if a report is out of order.
 */
export function hashReports(words: Int32Array, count: number, flow: ReplayFlow): string {
  const hash = createHash('sha256')
  const lines = new LineBuffer()
  let orderBefore = -1
  for (let report = 0; report < count; report++) {
    const at = report * reportWords
    const order = words[at + sequence] * typesMax + (words[at + terms] & (typesMax - 1))
    if (order < orderBefore) throw new Error(`a report of message ${words[at]} is out of order`)
    orderBefore = order
    if (report > 0) lines.bytes[lines.length++] = newline
    writeLine(lines, flow, words, at)
    if (lines.length <= bufferBytes - lineBytesMax) continue
    hash.update(lines.bytes.subarray(0, lines.length))
    lines.length = 0
  }
  return hash.update(lines.bytes.subarray(0, lines.length)).digest('hex')
}

class LineBuffer {
  readonly bytes = new Uint8Array(bufferBytes)
  length = 0
}

function writeLine(lines: LineBuffer, flow: ReplayFlow, words: Int32Array, at: number): void {
  const type = words[at + terms] & (typesMax - 1)
  const side = (words[at + terms] >> 3) & 1
  const quantity = words[at + terms] >> 4
  const orderId = flow.orderIdOf(words[at + handle])
  writeNumber(lines, type)
  writeField(lines, words[at + sequence])
  if (type === ReportType.CancelReject || type === ReportType.ModifyReject) {
    writeField(lines, orderId)
    return
  }
  const tick = flow.tickOf(words[at + priceIndex])
  if (type === ReportType.Trade) {
    writeField(lines, tick)
    writeField(lines, quantity)
    writeField(lines, orderId)
    writeField(lines, flow.orderIdOf(words[at + taker]))
    return
  }
  writeField(lines, side)
  writeField(lines, orderId)
  writeField(lines, tick)
  if (type !== ReportType.CancelAck) writeField(lines, quantity)
}

function writeField(lines: LineBuffer, value: number): void {
  lines.bytes[lines.length++] = comma
  writeNumber(lines, value)
}

/** Writes decimal digits, without allocating a string. */
function writeNumber(lines: LineBuffer, value: number): void {
  const { bytes } = lines
  let rest = value
  if (rest < 0) {
    bytes[lines.length++] = minus
    rest = -rest
  }
  let digits = 1
  for (let power = 10; power <= rest; power *= 10) digits++
  lines.length += digits
  for (let place = lines.length - 1; digits > 0; digits--) {
    bytes[place--] = zero + (rest % 10)
    rest = Math.floor(rest / 10)
  }
}
