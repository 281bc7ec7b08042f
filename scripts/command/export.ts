import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { Argument } from 'commander'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import { addressOf, millisOf, timesHelp } from '../../gateway/command-line/option-readers.js'
import { note, UsageError, verbCommand } from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import {
  historyPath,
  openHistoryReadOnly,
} from '../../gateway/read-model/history/history-schema.js'
import {
  type ExportFilter,
  type ExportRow,
  exportColumns,
  exportKinds,
  exportRows,
  freeColumns,
} from '../venue-data/export-rows.js'
import { withDataDir } from './data-options.js'

const about = `Writes fills, orders or trades of the history store as CSV, or with --json as JSON
lines, by rising id. Amounts are decimals, times are UTC. The venue may be running; rows that
arrive during the export may be missing. In CSV an apostrophe precedes a client's own text
(client_id) that a spreadsheet would take for a formula. JSON has the text unchanged.`

const examples = [
  'strikebook export fills --wallet 0x7e5f4552091a69125d5dfcb7b8c2659029395bdf --json',
  'strikebook export orders --from 2026-11-01 --to 2026-12-01T00:00:00Z --out november.csv',
]

/** Rows per write. Each write checks the stream's backpressure. */
const linesPerWrite = 500

/** Runs `export`. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('export', about, examples))
    .addArgument(new Argument('<kind>', 'rows to export').choices(exportKinds))
    .option('--wallet <address>', 'only rows of this wallet', addressOf, null)
    .option('--from <time>', 'only rows from this time, inclusive', millisOf, null)
    .option('--to <time>', 'only rows before this time, exclusive', millisOf, null)
    .option('--out <file>', 'output file, which must not exist (default: standard output)')
    .addHelpText('after', timesHelp)
    .parse([...argv], { from: 'user' })
  const { dataDir, json = false, out, wallet, from, to } = command.opts()
  const filter: ExportFilter = {
    ...{ kind: command.args[0] as ExportFilter['kind'], wallet },
    ...{ fromMillis: from ?? 0, toMillis: to ?? Number.MAX_SAFE_INTEGER },
  }
  const store = historyPath(dataDir)
  if (!existsSync(store)) {
    throw new UsageError(
      `no history store at ${resolve(store)}; set the data folder with --data-dir`,
    )
  }
  const target: Writable =
    out === undefined ? process.stdout : createWriteStream(out, { flags: 'wx', mode: 0o600 })
  const count = await writeRows(dataDir, filter, target, json)
  if (out !== undefined) {
    target.end()
    await once(target, 'finish')
  }
  note(`${count} ${filter.kind}`)
  return ExitCode.Done
}

async function writeRows(
  dataDir: string,
  filter: ExportFilter,
  target: Writable,
  isJson: boolean,
): Promise<number> {
  const database = openHistoryReadOnly(dataDir)
  // An error of the target must also end a wait for `drain`. The empty catch prevents an unhandled rejection.
  const failed = once(target, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  try {
    let count = 0
    const free = freeColumns(filter.kind)
    let lines = isJson ? [] : [exportColumns(filter.kind).join(',')]
    const flush = async () => {
      if (lines.length === 0) return
      const isTaken = target.write(`${lines.join('\n')}\n`)
      lines = []
      if (!isTaken) await Promise.race([once(target, 'drain'), failed])
    }
    for (const row of exportRows(database, filter)) {
      lines.push(isJson ? JSON.stringify(row) : csvLine(row, free))
      count++
      if (lines.length >= linesPerWrite) await flush()
    }
    await flush()
    return count
  } finally {
    database.close()
  }
}

/** First characters that make a spreadsheet run a formula: signs, full-width signs, and white space it skips. */
const formulaHead = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/**
 * Formats a row as a CSV line (RFC 4180). Null becomes an empty cell.
 * @param free columns with text that clients choose. A spreadsheet must not run it as a formula.
 */
function csvLine(row: ExportRow, free: ReadonlySet<string>): string {
  const cells = Object.entries(row).map(([name, value]) => {
    const isFormula = free.has(name) && formulaHead.test(String(value))
    return csvCell(isFormula ? `'${value}` : value)
  })
  return cells.join(',')
}

function csvCell(value: string | number | null): string {
  if (value === null) return ''
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
