import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { engineVersion } from '../engine/state/engine-version.js'
import { makeFolders } from '../test/support/folder-fixture.js'

// `npm run generate -- folders` writes data folders of this engine version, which test later versions
// (test/support/folder-fixture.ts). It never replaces existing folders: they must stay as their engine wrote them.

const root = join('test', 'vectors', 'folders', `engine-${engineVersion}`)
if (existsSync(root)) {
  process.stderr.write(`${root} already exists\n`)
  process.exitCode = 1
} else {
  makeFolders(root)
  process.stdout.write(`wrote ${root}\n`)
}
