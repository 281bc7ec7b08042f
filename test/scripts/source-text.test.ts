import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countCodeLines, withoutComments } from '../../scripts/source-text.js'

test('blank lines and comments of every form are not code', () => {
  const source = [
    '// a line',
    '',
    '/** a block',
    ' * of three lines',
    ' */',
    '   ',
    '  /* in one */  // and one more',
    'const a = 1 // behind code',
    'const b = /* within code */ 2 /* and',
    'on */ const c = 3',
    '/* first */ const d = 4',
  ]
  assert.equal(countCodeLines(source.join('\n')), 4)
})

const open = '${'

test('text that looks like a comment within a string, a template or a pattern is code', () => {
  const sources = [
    `const a = 'http://here'`,
    `const a = "it's // here", b = '\\'/*'`,
    `const a = \`// ${open}b + \`/* ${open}c}\`} //\``,
    `const a = \`\\\`// $ ${open} { b: "}" } } /*\``,
    `const a = /['"\`/*]\\//.test(b) || /[/]*/g`,
    `return /'/.exec(a)`,
    `const a = (b + c[0]) / 2 / d`,
    `const a = \`${open}b}\` / 2 / c`,
  ]
  for (const source of sources) assert.equal(withoutComments(source), source)
})

test('a comment after each of them ends only where it should', () => {
  const kept = (source: string) => withoutComments(source).trimEnd()
  assert.equal(kept(`const a = 'b' // it's`), `const a = 'b'`)
  assert.equal(kept(`const a = \`${open}b /* \` */}\` // \``), `const a = \`${open}b  }\``)
  assert.equal(kept('const a = b / c / d // e / f'), 'const a = b / c / d')
  assert.equal(kept(`const a = /'/ // '`), `const a = /'/`)
  assert.equal(kept('a // b\n/* c\n\n*/ d'), 'a  \n \n\n d')
})

test('lines of a template are code, except for blank ones', () => {
  assert.equal(countCodeLines('const a = `\n// one\n\n  two\n`'), 4)
})
