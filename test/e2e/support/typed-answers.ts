import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectPath } from '../../support/project.js'

/** Answer of a client's method, with the text of its type. */
export interface TypedAnswer {
  readonly type: string
  readonly value: unknown
}

// Each answer is a constant in the program, so its texts keep their literal types. The compiler checks it against the
// type that the client declares. Constants are read-only, hence `Frozen`.
const frozen =
  'type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T\n' +
  'export type Answered<C, M extends keyof C> =\n' +
  '  C[M] extends (...given: never[]) => Promise<infer T> ? Frozen<T> : never\n'
const compilerOptions = {
  ...{ noEmit: true, strict: true, skipLibCheck: true },
  ...{ module: 'nodenext', target: 'es2022', types: ['node'] },
}

/**
 * Compiles answers against the types of a client.
 * @param imports lines that import the types
 * @returns the compiler's errors with the answer's line, or '' if all of them fit
 */
export function typeFaults(imports: string, answers: readonly TypedAnswer[]): string {
  // Under the project, so that the client's package is found from there.
  const folder = mkdtempSync(join(projectPath('dist'), 'typed-answers-'))
  try {
    const lines = answers.map(
      ({ type, value }, place) =>
        `const answer${place} = ${JSON.stringify(value)} as const\n` +
        `export const typed${place}: ${type} = answer${place}\n`,
    )
    writeFileSync(join(folder, 'answers.ts'), imports + frozen + lines.join(''))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const settings = { compilerOptions, files: ['answers.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    const compiler = projectPath('node_modules/typescript/bin/tsc')
    const run = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
    return run.status === 0 ? '' : `${run.stdout}${run.stderr}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}
