import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Mutant, mutate } from './mutant.js'

export type RunResult = 'passed' | 'failed' | 'hung'

/** Room of the compiled files in a copy of the project. */
const compiledFolder = 'dist'
const testFolders = ['test/engine', 'test/schemas', 'test/gateway/read-model/history']

/**
 * Copy of the compiled project in a temporary folder, for planting faults. Other files that the tests
 * read are links to the project's root.
 */
export class TestBed {
  readonly root: string
  readonly #compiled: string

  /** @param compiled folder of the compiled project, below the project's root. */
  constructor(compiled: string) {
    const project = dirname(compiled)
    this.root = mkdtempSync(join(tmpdir(), 'strikebook-mutants-'))
    this.#compiled = join(this.root, compiledFolder)
    cpSync(compiled, this.#compiled, { recursive: true })
    for (const name of ['node_modules', 'package.json', 'schemas', 'engine', 'test']) {
      symlinkSync(join(project, name), join(this.root, name))
    }
    mkdirSync(join(this.root, 'tmp'))
  }

  /** The unit tests of what has mutants, from the folder of the compiled project. */
  testFiles(): string[] {
    return testFolders
      .flatMap((folder) =>
        readdirSync(join(this.#compiled, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.test.js'))
          .map((file) => join(folder, file)),
      )
      .sort()
  }

  /** Puts a fault into its file. @returns takes it out again. */
  infect(mutant: Mutant): () => void {
    const path = join(this.#compiled, mutant.file.replace(/\.ts$/, '.js'))
    const compiled = readFileSync(path, 'utf8')
    writeFileSync(path, mutate(mutant, compiled))
    return () => writeFileSync(path, compiled)
  }

  /** Runs one test file in a process of its own, which is killed after `millisMax`. */
  run(file: string, millisMax: number): Promise<RunResult> {
    const child = spawn(process.execPath, [join(this.#compiled, file)], {
      cwd: this.root,
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: join(this.root, 'tmp') },
    })
    return new Promise((resolve, reject) => {
      let isHung = false
      const timer = setTimeout(() => {
        isHung = true
        child.kill('SIGKILL')
      }, millisMax)
      child.once('error', reject)
      child.once('exit', (code) => {
        clearTimeout(timer)
        resolve(isHung ? 'hung' : code === 0 ? 'passed' : 'failed')
      })
    })
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
