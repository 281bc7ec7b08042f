import { checkMachine } from '../machine/checks.js'
import { readMachine } from '../machine/machine.js'
import { withDataDir } from './data-options.js'
import { ExitCode } from './exit-code.js'
import { tableLines } from './inspect/view.js'
import { printResult, verbCommand } from './verb-command.js'
import type { RunVerb } from './verbs.js'

const about = `Looks at what a venue wants of its machine, each with what to do about it: cores,
governor, isolation, huge pages, clock source, limits, memory, disk and its flushes, Node and
native modules. It writes and flushes a small file on the disk of the data. Exit code 1: something
is bad.`

/** Looks at this machine. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('doctor', about)).parse([...argv], { from: 'user' })
  const { dataDir, json = false } = command.opts()
  const checks = await checkMachine(readMachine(), dataDir)
  const ok = checks.every(({ standing }) => standing !== 'bad')
  const rows = checks.map(({ name, standing, found, advice }) => [name, standing, found, advice])
  printResult(json, { ok, checks }, tableLines(['what', 'is', 'found', 'to do'], rows))
  return ok ? ExitCode.Done : ExitCode.Failed
}
