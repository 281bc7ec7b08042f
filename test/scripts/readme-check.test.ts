import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formFailures,
  lengthFailures,
  missingLinks,
  missingNames,
  missingReadmes,
} from '../../scripts/readme-check.js'

const things = {
  paths: [
    ...['engine', 'engine/core', 'engine/core/core.ts', 'engine/core/parts'],
    'engine/core/parts/batch.ts',
    ...['test/engine/core/every-bit.test.ts', 'scripts/run-tests.ts'],
  ],
  entries: ['strikebook/client'],
  scripts: ['test', 'fuzz'],
  verbs: ['bench'],
  names: new Set(['signerOf', 'OrderStore', 'noncesKept']),
}
const missingIn = (text: string, path = 'engine/core/README.md') => missingNames(path, text, things)

test('a path counts from the folder of the README, those above it, or that of its tests', () => {
  const text =
    '`engine/core/core.ts`, `core/core.ts`, `core.ts`, `engine/core/`, `./core.ts`, `parts/batch.ts`, `every-bit.test.ts`'
  assert.deepEqual(missingIn(text), [])
  assert.match(missingIn('see `engine/core/gone.ts`')[0]!, /core\/README\.md names .*gone\.ts/)
  assert.equal(missingIn('`gone.ts` and `engine/gone`, `other/batch.ts`').length, 3)
})

test('a bare name may be in a folder below, but not for the root README', () => {
  assert.deepEqual(missingIn('`batch.ts`'), [])
  assert.equal(missingIn('`batch.ts`', 'README.md').length, 1)
})

test('a star stands for any part of a name, not for a folder', () => {
  assert.deepEqual(missingIn('`parts/*.ts` and `every-*.test.ts`'), [])
  assert.equal(missingIn('`engine/*.ts`').length, 1)
})

test('files in drawings and built files are checked, too', () => {
  assert.deepEqual(missingIn('```\n ring ──► core.ts ──► log\n```\n'), [])
  assert.equal(missingIn('```\n ring ──► gone.ts ──► log\n```\n').length, 1)
  assert.deepEqual(missingIn('`EVERY_BIT=1 node dist/scripts/run-tests.js every-bit`'), [])
  assert.equal(missingIn('`node dist/scripts/gone.js`').length, 1)
})

test('an entry of the package exists, and another path of it does not', () => {
  assert.deepEqual(missingIn('`strikebook/client`'), [])
  assert.equal(missingIn('`strikebook/gone`').length, 1)
})

test('the first column of a table of folders names folders', () => {
  const table = (name: string) => `| Room | Holds |\n|---|---|\n| \`${name}\` | \`words\` |\n`
  assert.deepEqual(missingIn(table('parts')), [])
  assert.equal(missingIn(table('gone')).length, 1)
})

test('each command is a script of the project', () => {
  assert.deepEqual(missingIn('`npm test -- core`, `npm run fuzz`'), [])
  assert.match(missingIn('`npm run gone -- --seed 1`')[0]!, /npm run gone, which is no script/)
  assert.equal(missingIn('npm ci && npm start').length, 1)
})

test('each verb is one of the command', () => {
  assert.deepEqual(missingIn('`npx strikebook bench ring`, `npx strikebook <verb>`'), [])
  assert.match(missingIn('`npx strikebook bensh`')[0]!, /strikebook bensh, which is no verb/)
})

test('a quoted name of the code exists in the code', () => {
  assert.deepEqual(missingIn('`signerOf` of `OrderStore`, `limits.noncesKept`, `fdatasync`'), [])
  assert.match(missingIn('`OrderStore.signerFor`')[0]!, /signerFor, which no code has/)
  assert.deepEqual(missingIn('signerFor in plain words, and `GET /signerFor`'), [])
})

test('routes, parameters and data files of a venue are not paths of the project', () => {
  const text = '`/livez`, `limits.noncesKept`, `risk.perp.*`, `journal/archive/`, `./data`, `a / b`'
  assert.deepEqual(missingIn(text), [])
})

test('the root README has at most 16,384 bytes and 250 lines', () => {
  assert.deepEqual(lengthFailures(`${'a'.repeat(16_383)}\n`), [])
  assert.match(lengthFailures(`${'é'.repeat(8192)}\n`)[0]!, /has 16385 bytes; at most 16384/)
  assert.deepEqual(lengthFailures('a\n'.repeat(250)), [])
  assert.match(lengthFailures('a\n'.repeat(251))[0]!, /has 251 lines; at most 250/)
})

test('a relative link leads to an existing file', () => {
  const linksIn = (text: string) => missingLinks('engine/core/README.md', text, things.paths)
  assert.deepEqual(linksIn('[one](core.ts), [two](../../scripts/run-tests.ts#part)'), [])
  assert.deepEqual(linksIn('[far](https://example.org/x), [heading](#part)'), [])
  assert.match(linksIn('[gone](../gone.ts)')[0]!, /links to \.\.\/gone\.ts, which does not exist/)
})

const sectionNames = [
  'Purpose',
  'Picture',
  'Main types, in reading order',
  'Rules that must hold',
  'How to change it',
]
const pageOf = (names: readonly string[]) =>
  `# Core\n\n${names.map((name) => `## ${name}\n\nText.\n`).join('\n')}`
const formOf = (text: string, path = 'engine/core/README.md') => formFailures(path, text)

test('the README of a package has five sections in one order', () => {
  assert.deepEqual(formOf(pageOf(sectionNames)), [])
  assert.deepEqual(
    formOf(`${pageOf(sectionNames)}\n### A part\n\n\`\`\`\n## no heading\n\`\`\`\n`),
    [],
  )
  assert.match(
    formOf(pageOf(sectionNames.toReversed()))[0]!,
    /core\/README\.md has the sections How/,
  )
  assert.match(formOf(pageOf(sectionNames.slice(1)))[0]!, /use ## Purpose, ## Picture, /)
  assert.equal(formOf(pageOf([...sectionNames, 'More'])).length, 1)
  assert.match(formOf('# Core\n')[0]!, /has the sections none/)
})

test('the README of a package has at most 120 lines', () => {
  const page = pageOf(sectionNames)
  const lines = page.split('\n').length - 1
  assert.deepEqual(formOf(page + 'a\n'.repeat(120 - lines)), [])
  assert.match(formOf(page + 'a\n'.repeat(121 - lines))[0]!, /has 121 lines; at most 120/)
})

test('other pages, and README files that are listed with a reason, have a form of their own', () => {
  for (const path of [
    'bench/README.md',
    'scripts/deploy/recovery/README.md',
    'engine/core/notes.txt',
  ])
    assert.deepEqual(formOf('# Text\n', path), [])
})

test('each package of five source files has a README, and so has each top-level folder', () => {
  const filesOf = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${folder}/part-${index}.ts`)
  const missing = (...paths: string[]) => missingReadmes(['engine/README.md', ...paths])
  assert.deepEqual(missing(...filesOf('engine/core', 4)), [])
  assert.match(missing(...filesOf('engine/core', 5))[0]!, /^engine\/core\/ has no README\.md/)
  assert.deepEqual(missing('engine/core/README.md', ...filesOf('engine/core', 5)), [])
  assert.equal(missing(...filesOf('engine/core', 2), ...filesOf('engine/core/rfq', 3)).length, 1)
  assert.deepEqual(missing(...filesOf('engine/core/generated', 9)), [])
  assert.match(missingReadmes(['bench/ring.ts'])[0]!, /^bench\/ has no README/)
})

test('a deeper folder needs a README from forty files on, a folder that mirrors sources never', () => {
  const files = Array.from({ length: 40 }, (_, index) => `engine/core/rfq/part-${index}.ts`)
  const pages = ['engine/README.md', 'engine/core/README.md', 'test/README.md']
  assert.deepEqual(missingReadmes([...pages, ...files.slice(1)]), [])
  assert.match(missingReadmes([...pages, ...files])[0]!, /^engine\/core\/rfq\/ has no README/)
  assert.deepEqual(missingReadmes([...pages, ...files.slice(1).map((path) => `test/${path}`)]), [])
})
