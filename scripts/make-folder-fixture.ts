import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { engineVersion } from '../engine/state/engine-version.js'
import { makeFolders } from '../test/support/folder-fixture.js'

// `npm run generate -- folders`: keeps the data folders of this version of the engine for the versions after it
// (test/support/folder-fixture.ts). Those of a version whose folders are kept are never made again: what an engine
// has written to a disk stays as it is.

const root = join('test', 'vectors', 'folders', `engine-${engineVersion}`)
if (existsSync(root)) {
  process.stderr.write(`${root} is there already\n`)
  process.exitCode = 1
} else {
  makeFolders(root)
  process.stdout.write(`${root} is made\n`)
}
