import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proseExceptions } from '../../scripts/prose-exceptions.js'
import { clauseRules, phraseRules, sentenceWordsMax, wordRules } from '../../scripts/prose-rules.js'
import { proseFindings } from '../../scripts/tidy-prose.js'

const open = '${'
const rulesOf = (text: string, path = 'engine/x.ts') =>
  proseFindings(path, text).map(({ rule }) => rule)

test('each word rule finds its words in a comment', () => {
  const sentences: Readonly<Record<string, string>> = {
    told: 'The wallet is told its fills.',
    hears: 'The wallet hears of its fills.',
    behind: 'The cancel runs behind the order.',
    beside: 'The journal is beside the snapshot.',
    stands: 'The order stands in the book.',
    asker: 'The gateway answers the asker.',
    'comes to be': 'The order comes to be filled.',
    'as long as': 'The order rests as long as it has size.',
    'as much as': 'The wallet trades for as much as it has.',
    'goes on': 'Trading goes on.',
    'looks at': 'The core looks at the price.',
    doorbell: 'The thread dozes.',
    'exempt order': 'The core accepts an exempt order.',
    'package of legs': 'The core fills the package of legs.',
    autopsy: 'The command prints an autopsy.',
    desk: 'The keeper stores rows.',
    house: 'The houses import each other.',
    'set aside': 'The start sets aside the file.',
    'take up': 'The index takes up the row.',
    'over its window': 'A wallet over its window waits.',
    floor: 'The price has a floor.',
    border: 'The price is above the border.',
    meanwhile: 'Meanwhile the thread runs.',
    warm: 'The start warms the memory.',
    repeat: 'The core answers a repeat.',
    outcome: 'The outcome of the command is sent.',
    'is over': 'The competition is over.',
    'at its end': 'The venue pays at its end.',
    'nobody’s': 'The order is nobody’s.',
    'becomes of': 'The answer says what became of it.',
    'of before': 'The tokens of before are valid.',
    'but for': 'The file is empty but for a header.',
  }
  for (const { name } of wordRules) {
    assert.deepEqual(rulesOf(`// ${sentences[name]}\n`), [name], name)
  }
})

test('each phrase of the old pages is found in an element and in a string', () => {
  assert.ok(phraseRules.length > 0)
  for (const { pattern } of phraseRules) {
    const phrase = pattern.source.replaceAll('\\b', '')
    const path = 'gateway/web/x.tsx'
    assert.ok(rulesOf(`<p>${phrase} x</p>`, path).includes('page phrase'), phrase)
    assert.ok(rulesOf(`const text = '${phrase} x'`, path).includes('page phrase'), phrase)
  }
})

test('a clause in the place of a subject is found, a question is none', () => {
  assert.ok(clauseRules.length > 0)
  assert.deepEqual(rulesOf('// Reads it. What is left stays.\n'), ['clause as subject'])
  assert.deepEqual(rulesOf('// Waits, because who signs pays.\n'), ['clause as subject'])
  assert.deepEqual(rulesOf('// An answer to whoever waits.\n'), ['clause as noun'])
  assert.deepEqual(rulesOf('/** Returns whether it waits. */'), ['clause after Returns'])
  assert.deepEqual(rulesOf('// Which of them is first?\n'), [])
  assert.deepEqual(rulesOf('// Depends on the wallet that signs.\n'), [])
})

test('a doc comment that begins with a clause is found, another comment is not', () => {
  const text = 'If the book is empty, returns null.'
  assert.deepEqual(rulesOf(`/** ${text} */`), ['doc comment opening'])
  assert.deepEqual(rulesOf(`/**\n * ${text}\n */`), ['doc comment opening'])
  assert.deepEqual(rulesOf(`// ${text}\n`), [])
  assert.deepEqual(rulesOf('/** Returns null if the book is empty. */'), [])
})

test('a sentence above the maximum is found on the line where it begins', () => {
  const words = (count: number) => Array(count).fill('word').join(' ')
  const text = `/**\n * A short one.\n * ${words(20)}\n * ${words(sentenceWordsMax - 19)}\n */`
  const [finding, ...others] = proseFindings('engine/x.ts', text)
  assert.deepEqual(others, [])
  assert.equal(finding?.line, 3)
  assert.equal(finding?.rule, 'long sentence')
  assert.match(finding?.instead ?? '', /this one has 41, at most 40 are allowed/)
  assert.deepEqual(rulesOf(`// ${words(30)}. ${words(30)}.\n`), [])
  assert.deepEqual(rulesOf(`- ${words(30)}\n- ${words(30)}\n`, 'README.md'), [])
})

test('a finding has the line, the words around it and what to write instead', () => {
  const text = "const a = 1\n// first\n// The core looks at the price.\nconst b = 'c'\n"
  assert.deepEqual(proseFindings('engine/x.ts', text), [
    {
      path: 'engine/x.ts',
      line: 3,
      rule: 'looks at',
      found: '"first The core looks at the price."',
      instead: '"checks", "reads" or "watches"',
    },
  ])
})

test('code in backticks, code outside comments and words without a sentence are skipped', () => {
  assert.deepEqual(rulesOf('// The field `outcome` is a number.\n'), [])
  assert.deepEqual(rulesOf("const outcome = told('outcome')\n"), [])
  assert.deepEqual(rulesOf('The route.\n\n```\nnpm run told me\n```\n', 'README.md'), [])
})

test('of the strings in tests, only the names of tests count', () => {
  const path = 'test/engine/x.test.ts'
  assert.deepEqual(rulesOf("test('the wallet is told', () => call('it was told'))\n", path), [
    'told',
  ])
  assert.deepEqual(rulesOf(`test(\`${open}side}: the wallet is told\`, run)\n`, path), ['told'])
  assert.deepEqual(rulesOf("throw new Error('it was told')\n"), ['told'])
})

test('strings joined over lines are one text', () => {
  const text = "const text =\n  'The wallet is ' +\n  'told its fills.'\n"
  assert.deepEqual(
    proseFindings('engine/x.ts', text).map(({ line }) => line),
    [3],
  )
  assert.deepEqual(rulesOf("const text = 'It is clear ' +\n  'what is left.'\n"), [])
})

test('an exception allows its words in its files alone', () => {
  const exceptions = [{ pattern: /wallet is told/g, path: 'engine/a', reason: 'a test' }]
  const countOf = (path: string, text: string) => proseFindings(path, text, exceptions).length
  assert.equal(countOf('engine/a.ts', '// The wallet is told its fills.\n'), 0)
  assert.equal(countOf('engine/a.ts', '// The agent is told its fills.\n'), 1)
  assert.equal(countOf('engine/b.ts', '// The wallet is told its fills.\n'), 1)
})

test('each exception has a reason and a global pattern', () => {
  for (const { pattern, reason } of proseExceptions) {
    assert.ok(pattern.global, pattern.source)
    assert.ok(reason.length > 0, pattern.source)
  }
})

test('alarms are read from their file', () => {
  const text = '[A]\nexpression = "it was told"\nmeans = "The wallet is told."\n'
  assert.deepEqual(
    proseFindings('scripts/deploy/alarms.toml', text).map(({ line, rule }) => [line, rule]),
    [[3, 'told']],
  )
})
