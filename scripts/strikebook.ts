import { ExitCode } from '../gateway/command-line/exit-code.js'
import { outliveOutputs } from '../gateway/outputs.js'
import { intrinsicsFault, nodeFault } from '../gateway/start-fault.js'
import { runCommand } from './command/run-command.js'

// `npx strikebook <verb>`: the command for running a venue. scripts/launch.js starts it.

const outputs = outliveOutputs()
const fault = nodeFault(process.versions.node) ?? intrinsicsFault()
if (fault !== null) process.stderr.write(`${fault}\n`)
const code = fault !== null ? ExitCode.Usage : await runCommand(process.argv.slice(2))
const failure = code === ExitCode.Done ? await outputs.failure() : null
if (failure !== null)
  process.stderr.write(`strikebook: standard output failed: ${failure.message}\n`)
process.exitCode = failure === null ? code : ExitCode.Failed
