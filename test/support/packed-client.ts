import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stageClient } from '../../scripts/client-package/pack-client.js'
import { consumerFolder } from './client-examples.js'
import { projectPath } from './project.js'

/** Tarball as `npm pack` describes it. */
interface Tarball {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** Project that has installed the packed client. */
export interface PackedClient {
  readonly tarball: Tarball
  /** Folder of the project. */
  readonly folder: string
  /** Folder of the package in it. */
  readonly installed: string
  remove(): void
}

/**
 * Packs the client and installs the tarball in a new project, without the network: the dependencies are links.
 * @param files sources of the project
 * @param settings settings of its compiler
 */
export async function installPackedClient(
  files: Readonly<Record<string, string>> = {},
  settings: object = {},
): Promise<PackedClient> {
  const work = mkdtempSync(join(tmpdir(), 'strikebook-packed-'))
  await stageClient(join(work, 'package'))
  const packed = run('npm', ['pack', './package', '--json'], work)
  const [tarball]: Tarball[] = JSON.parse(packed)
  const folder = consumerFolder(files, settings)
  const modules = join(folder, 'node_modules')
  const installed = join(modules, 'strikebook-client')
  mkdirSync(installed)
  run('tar', ['-xzf', join(work, tarball!.filename), '--strip-components=1'], installed)
  rmSync(work, { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    mkdirSync(join(modules, name, '..'), { recursive: true })
    symlinkSync(projectPath(`node_modules/${name}`), join(modules, name))
  }
  const remove = () => rmSync(folder, { recursive: true })
  return { tarball: tarball!, folder, installed, remove }
}

function run(program: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  return stdout
}
