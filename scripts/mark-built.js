import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Last step of a build: writes the stamp. Sources older than the stamp are built.

writeFileSync(join(import.meta.dirname, '../dist/.built'), '')
