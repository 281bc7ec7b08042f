import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitoringFiles } from './monitoring.js'

// Writes rules, dashboard and the page of alarms anew, into the sources.

const folder = join(import.meta.dirname, '../../../scripts/deploy/generated')
for (const [name, text] of Object.entries(monitoringFiles()))
  writeFileSync(join(folder, name), text)
