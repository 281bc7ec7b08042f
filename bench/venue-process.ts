import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { RestClient } from '../gateway/client/rest-client.js'

/** A venue in a process of its own, with an empty market, for as long as a benchmark needs it. */
export interface VenueProcess {
  readonly url: string
  readonly operator: RestClient
  stop(): Promise<void>
}

const mainFile = join(import.meta.dirname, '../gateway/main.js')
const operatorToken = 'bench'
const startMillisMax = 30_000
// A benchmark measures the venue, not its rate limits.
const unlimited = ['ordersPerMinute', 'cancelsPerMinute', 'apiRequestsPerMinute'].map(
  (limit) => `--set=limits.market_maker.${limit}=1000000000`,
)

/** Starts a venue with ports chosen by the system and data in a temporary folder below `directory`. */
export async function startVenueProcess(
  flags: readonly string[],
  directory: string = tmpdir(),
): Promise<VenueProcess> {
  const dataDir = mkdtempSync(join(directory, 'strikebook-bench-'))
  const child = spawn(
    process.execPath,
    [
      mainFile,
      '--port=0',
      '--operator-port=0',
      `--operator-token=${operatorToken}`,
      `--data-dir=${dataDir}`,
      '--feed=none',
      '--maker=off',
      ...unlimited,
      ...flags,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [url, operatorUrl] = await readyLine(child)
  return {
    url,
    operator: new RestClient({ url: operatorUrl, token: operatorToken }),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function readyLine(child: ChildProcess): Promise<[string, string]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error('the venue did not become ready'))
    }, startMillisMax)
    child.once('exit', (code) => reject(new Error(`the venue ended with code ${code}`)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [word, url, operatorUrl] = line.split(' ')
      if (word !== 'ready' || url === undefined || operatorUrl === undefined) return
      clearTimeout(timer)
      resolve([url, operatorUrl])
    })
  })
}
