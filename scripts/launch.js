#!/usr/bin/env node
import { buildOnce } from './build-once.js'

// Entry of `npx strikebook`.

await buildOnce()
await import(new URL('../dist/scripts/strikebook.js', import.meta.url).href)
