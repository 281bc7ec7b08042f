import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createSigner } from '../../gateway/client/signer.js'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import {
  note,
  printResult,
  UsageError,
  verbCommand,
} from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { nameFault, newToken, parseScopes } from '../../gateway/operator/operator-tokens.js'
import { operatorScopes } from '../../schemas/interface/operator.js'

const about = `Creates a key for development, or prints the address of a key. A key is a wallet:
any holder can sign for its account. The command writes the key to a file that only its owner
can read. It never prints a key, and never takes one from the command line, which others can see.
It also creates a token of the operator interface, and prints it once, with the line for
operator.tokensFile. That line has the hash of the token.`

const examples = [
  'strikebook keys address trader.key',
  'strikebook keys address < trader.key',
  'strikebook keys token --identity alice --scopes read,halts',
]

const keyBytes = 32
const standardInput = 0

/** Runs `keys`. */
export const runVerb: RunVerb = async (argv) => {
  const command = verbCommand('keys', about, examples)
  let done: (() => object) | null = null
  command
    .command('new')
    .description('create a key')
    .requiredOption('--out <file>', 'file to write; it must not exist')
    .action(({ out }) => {
      done = () => newKey(out)
    })
  command
    .command('address')
    .description('print the address of a key')
    .argument('[file]', 'file of the key (default: standard input)')
    .action((file) => {
      done = () => addressOf(file ?? standardInput)
    })
  command
    .command('token')
    .description('create a token of the operator interface')
    .requiredOption('--identity <name>', 'name of its holder')
    .requiredOption(
      '--scopes <list>',
      `permissions, separated by commas: ${operatorScopes.join(', ')}`,
    )
    .action(({ identity, scopes }) => {
      done = () => tokenOf(identity, scopes)
    })
  command.parse([...argv], { from: 'user' })
  const result = done!()
  printResult(command.opts()['json'] ?? false, result, Object.values(result))
  return ExitCode.Done
}

function newKey(file: string) {
  const key = `0x${randomBytes(keyBytes).toString('hex')}`
  const { address } = createSigner(key)
  try {
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new UsageError(`${file} already exists`)
  }
  note('For development only. Keep a key that controls funds in a hardware wallet or a vault.')
  return { address, file }
}

function tokenOf(identity: string, scopesText: string) {
  const scopes = parseScopes(scopesText)
  const fault = nameFault(identity) ?? (typeof scopes === 'string' ? scopes : null)
  if (fault !== null) throw new UsageError(fault)
  note('The token, shown only once, and its line for operator.tokensFile:')
  return newToken(identity, scopes as Exclude<typeof scopes, string>)
}

function addressOf(file: string | number) {
  const text = readFileSync(file, 'utf8').trim()
  try {
    return { address: createSigner(text).address }
  } catch {
    // The library's message may quote the text, and a mistyped key is still a secret.
    throw new UsageError(
      'not a secp256k1 private key: must be 0x followed by 64 hexadecimal digits',
    )
  }
}
