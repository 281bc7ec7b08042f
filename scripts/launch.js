#!/usr/bin/env node
import { buildOnce } from './build-once.js'

// What `npx strikebook` runs.

await buildOnce()
await import(new URL('../dist/scripts/strikebook.js', import.meta.url).href)
