import { buildOnce } from './build-once.js'

// First step of `npm start`. The venue is the second step and replaces the shell, so that signals reach it.

await buildOnce()
