import { ExitCode } from '../../gateway/command-line/exit-code.js'
import { printResult, verbCommand } from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { readMachine } from '../../gateway/machine/machine.js'
import { withDataDir } from './data-options.js'
import { doctorLines } from './doctor-lines.js'
import { checkMachine } from './machine-checks.js'

const about = `Checks the machine against the needs of a venue, and recommends a fix for each finding:
CPUs, governor, isolation, huge pages, clock source, limits, memory, disk and its flushes, Node
and native modules. It writes and flushes a small file on the data disk. Exit code 1: a
check failed.`

/** Runs `doctor`. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('doctor', about)).parse([...argv], { from: 'user' })
  const { dataDir, json = false } = command.opts()
  const checks = await checkMachine(readMachine(), dataDir)
  const ok = checks.every(({ standing }) => standing !== 'bad')
  printResult(json, { ok, checks }, doctorLines(checks, process.stdout.columns || undefined))
  return ok ? ExitCode.Done : ExitCode.Failed
}
