import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Last step of a build: writes a file whose time marks the build. Sources older than it are built.

writeFileSync(join(import.meta.dirname, '../dist/.built'), '')
