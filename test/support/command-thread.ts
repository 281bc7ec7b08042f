import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { runCommand } from '../../scripts/command/run-command.js'
import type { CommandEnd, CommandThreadData } from './strikebook.js'

// Thread of `strikebook.ts`: runs one command after the other and captures their output, since this thread has its own
// streams.

const { answers, ended } = workerData as CommandThreadData
const port: MessagePort = parentPort!

port.on('message', async (words: readonly string[]) => {
  answers.postMessage(await end(words))
  Atomics.add(ended, 0, 1)
  Atomics.notify(ended, 0)
})

async function end(words: readonly string[]): Promise<CommandEnd> {
  const texts = { out: '', error: '' }
  process.stdout.write = (text) => {
    texts.out += text
    return true
  }
  process.stderr.write = (text) => {
    texts.error += text
    return true
  }
  const code = await runCommand(words)
  return { code, ...texts }
}
