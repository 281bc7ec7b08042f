import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitoringFiles } from './monitoring.js'

// Regenerates the alert rules, the dashboard and the alarm page in the source tree.

const folder = join(import.meta.dirname, '../../../scripts/deploy/generated')
for (const [name, text] of Object.entries(monitoringFiles()))
  writeFileSync(join(folder, name), text)
