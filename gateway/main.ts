import { assemblyFault, intrinsicsFault, loadFault, nodeFault } from './start-fault.js'

// The process begins here, with nothing imported that this Node or this installation may not be able to load: a start that
// cannot succeed ends with one sentence instead of a stack.

const exitUsage = 2
const exitRefused = 3

const fault = nodeFault(process.versions.node) ?? intrinsicsFault() ?? assemblyFault()
if (fault !== null) end(fault, exitUsage)
else {
  try {
    await import('./run.js')
  } catch (error) {
    const sentence = loadFault(error)
    if (sentence === null) throw error
    end(sentence, exitRefused)
  }
}

function end(sentence: string, code: number): void {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = code
}
