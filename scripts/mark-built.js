import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

// The last step of a build: what is older than this file is built.

writeFileSync(join(import.meta.dirname, '../dist/.built'), '')
