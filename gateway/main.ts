import { existsSync } from 'node:fs'
import { nodeFault } from './node-version.js'

// The process begins here, with nothing imported that this Node may not be able to load: who starts the venue on
// another one reads one sentence instead of a stack.

const exitUsage = 2
const transport = 'uWebSockets.js'
const { platform, arch, versions } = process
const fault = nodeFault({ platform, arch, version: versions.node, abi: versions.modules }, (file) =>
  existsSync(new URL(`./bin/${file}`, import.meta.resolve(transport))),
)

if (fault === null) await import('./run.js')
else {
  process.stderr.write(`${fault}\n`)
  process.exitCode = exitUsage
}
