import { nodeFault } from './node-version.js'

// The process begins here, with nothing imported that this Node may not be able to load: who starts the venue on
// another one reads one sentence instead of a stack.

const exitUsage = 2
const fault = nodeFault(process.versions.node)

if (fault === null) await import('./run.js')
else {
  process.stderr.write(`${fault}\n`)
  process.exitCode = exitUsage
}
