import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectPath, projectRoot } from './project.js'

// Examples in the client's docs, as programs: compiled against the package's declarations as an installed package has
// them, and run.

/** Example in the doc comment of a declaration. */
export interface DocExample {
  /** `strikebook-client.ts placeOrder`. */
  readonly name: string
  readonly declared: string
  readonly text: string
}

/** Runs an example with values for the names that it uses and does not declare. */
export type RunExample = (given: Readonly<Record<string, unknown>>) => Promise<void>

const docPattern =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export |static |readonly |async |function |class |get )*(\w+)/g

/** Returns every example in the client's docs. */
export function clientExamples(): readonly DocExample[] {
  const folder = projectPath('gateway/client')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = readFileSync(join(folder, file), 'utf8')
      return [...source.matchAll(docPattern)].flatMap(([, doc, declared]) =>
        examplesOf(doc!).map((text) => ({
          name: `${file} ${declared}`,
          declared: declared!,
          text,
        })),
      )
    })
}

function examplesOf(doc: string): readonly string[] {
  const lines = doc.split('\n').map((line) => line.replace(/^\s*\* ?/, ''))
  return lines
    .join('\n')
    .split(/^@(?=\w)/m)
    .filter((part) => part.startsWith('example'))
    .map((part) => part.slice('example'.length).trim())
}

/** Creates a folder in which the package is installed, like that of a client's author. */
export function consumerFolder(files: Readonly<Record<string, string>>, settings: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-consumer-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(projectRoot, join(modules, 'strikebook'))
  for (const name of ['viem', 'ethers', '@types']) {
    symlinkSync(projectPath(`node_modules/${name}`), join(modules, name))
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const compilerOptions = {
    ...{ strict: true, skipLibCheck: true, types: [], target: 'ES2023' },
    ...{ module: 'NodeNext', lib: ['ES2023', 'DOM'], ...settings },
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(files) }),
  )
  return folder
}

/** Returns the compiler's output for a folder's program; empty if it has no errors. */
export function compilerWords(folder: string): string {
  const compiler = projectPath('node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' }).stdout
}

/**
 * Compiles the program of examples in a folder into functions.
 * @throws Error with the compiler's output
 */
export async function compileExamples(
  folder: string,
  examples: readonly DocExample[],
): Promise<readonly RunExample[]> {
  const words = compilerWords(folder)
  if (words !== '') throw new Error(words)
  const compiled = await import(pathToFileURL(join(folder, 'examples.js')).href)
  const { runs } = compiled as { readonly runs: readonly RunExample[] }
  if (runs.length !== examples.length) throw new Error('not every example was compiled')
  return runs
}

/**
 * Returns the program of all examples.
 * @param exported names of the values that the package exports
 * @param given for each name that examples use and do not declare, its TypeScript type
 */
export function programOf(
  examples: readonly DocExample[],
  exported: readonly string[],
  given: Readonly<Record<string, string>>,
): string {
  const members = Object.entries(given).map(([name, type]) => `  readonly ${name}: ${type}`)
  const names = Object.keys(given).join(', ')
  const runs = examples.map(
    ({ name, text }) => `// ${name}\nasync ({ ${names} }: Given) => {\n{\n${text}\n}\n},`,
  )
  return [
    "import { randomUUID } from 'node:crypto'",
    "import { Wallet } from 'ethers'",
    "import { privateKeyToAccount } from 'viem/accounts'",
    "import type * as strikebook from 'strikebook/client'",
    "import type { FedOrder } from 'strikebook/client'",
    `import { ${exported.join(', ')} } from 'strikebook/client'`,
    `interface Given {\n${members.join('\n')}\n}`,
    `export const runs: readonly ((given: Given) => Promise<void>)[] = [\n${runs.join('\n')}\n]`,
    '',
  ].join('\n')
}
