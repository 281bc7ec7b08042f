import { endQuietly, runCommand } from './command/run-command.js'

// `npx strikebook <verb>`: one command for whoever runs a venue. scripts/launch.js starts it.

process.stdout.on('error', endQuietly)
process.exitCode = await runCommand(process.argv.slice(2))
