import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

const script = join(import.meta.dirname, '../../scripts/strikebook.js')

const outBytesMax = 1 << 28

export interface CommandEnd {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

/** Runs the command as a user does. */
export function strikebook(...words: readonly string[]): CommandEnd {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    maxBuffer: outBytesMax,
  })
  return { code: status, out: stdout.toString(), error: stderr.toString() }
}

/** The same beside what else the caller does. */
export function strikebookAsync(...words: readonly string[]): Promise<CommandEnd> {
  const child = spawn(process.execPath, [script, ...words])
  let out = ''
  let error = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    error += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, error })))
}

/** What a verb prints with `--json`. @throws Error with its words, when it fails. */
export function strikebookJson<T>(...words: readonly string[]): T {
  const { code, out, error } = strikebook(...words, '--json')
  if (code !== 0) throw new Error(`exit code ${code}: ${error}`)
  return JSON.parse(out) as T
}
