#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

// What `npx strikebook` runs. A fresh checkout has no build yet: then it is made first, as `npm start` does.

const root = dirname(import.meta.dirname)
const file = join(root, 'dist/scripts/strikebook.js')
if (!existsSync(file)) {
  process.stderr.write('strikebook: building first, which takes about half a minute\n')
  const stdio = ['ignore', 'ignore', 'inherit']
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio })
  if (status !== 0) process.exit(1)
}
await import(file)
