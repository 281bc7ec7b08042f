import { ExitCode } from '../../gateway/command-line/exit-code.js'
import { wholeNumber } from '../../gateway/command-line/option-readers.js'
import { note, printResult, verbCommand } from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { readCommandLine } from '../../gateway/config/command-line.js'
import { type Machine, readMachine } from '../../gateway/machine/machine.js'
import {
  pinningFaults,
  proposePinning,
  type ThreadLayout,
} from '../../gateway/machine/pinning-plan.js'

const about = `Proposes pinning rows for this machine. Each thread in the path of an order gets a
CPU of its own, isolated CPUs first, and if possible no hardware thread that shares its core.
With --check it lists the faults of the rows in a file.`

/** Runs `pin`. */
export const runVerb: RunVerb = async (argv) => {
  const command = verbCommand('pin', about, ['strikebook pin --check venue.toml'])
    .option('--check <file>', 'configuration file to check')
    .option('--gateways <count>', 'gateway threads', wholeNumber(1, 16))
    .option('--matchers <count>', 'matcher threads', wholeNumber(0, 8))
    .parse([...argv], { from: 'user' })
  const { check, json = false, gateways, matchers } = command.opts()
  const machine = readMachine()
  if (check !== undefined) return checkFile(check, machine, json)
  const { config } = readCommandLine([], process.env)
  const layout = {
    gateways: gateways ?? config.gateways,
    matchers: matchers ?? config.matchers,
  }
  const { pinning, notes } = proposePinning(machine, layout)
  for (const line of notes) note(line)
  const rows = Object.entries(pinning).map(([role, core]) => `${role} = ${core}`)
  printResult(json, { layout, pinning, notes }, ['[pinning]', ...rows])
  return ExitCode.Done
}

function checkFile(file: string, machine: Machine, isJson: boolean): ExitCode {
  const { config } = readCommandLine([`--config=${file}`], process.env)
  const { pinning } = config
  const layout: ThreadLayout = { gateways: config.gateways, matchers: config.matchers }
  const faults = pinningFaults(pinning, machine, layout)
  printResult(isJson, { ok: faults.length === 0, pinning, faults }, [
    ...faults,
    ...(faults.length === 0 ? [`all ${Object.keys(pinning).length} rows fit this machine`] : []),
  ])
  return faults.length === 0 ? ExitCode.Done : ExitCode.Failed
}
