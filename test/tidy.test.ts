import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertFailures,
  bannedFailures,
  circleFailures,
  citationFailures,
  deadFiles,
  importFailures,
  moduleFailures,
  moduleImports,
  stateFailures,
  tidyFailures,
  topLevelFailures,
} from '../scripts/tidy.js'
import { projectRoot } from './support/project.js'

test('the house rules hold in every file', () => {
  const failures = tidyFailures(projectRoot)
  assert.equal(failures.length, 0, `\n${failures.join('\n')}`)
})

test('a top-level folder other than the packages is found', () => {
  assert.deepEqual(topLevelFailures(['schemas', 'engine', 'scripts', 'test']), [])
  assert.match(topLevelFailures(['engine', 'bin'])[0]!, /^bin\/ is at the top/)
})

test('an import against the direction is found', () => {
  const up = { path: 'engine/core/x.ts', text: "import { a } from '../../gateway/a.js'\n" }
  const multiline = {
    path: 'schemas/x.ts',
    text: "import {\n  a,\n  b,\n} from '../engine/a.js'\n",
  }
  const late = { path: 'schemas/x.ts', text: "const { a } = await import('../engine/a.js')\n" }
  const down = { path: 'gateway/x.ts', text: "import { a } from '../schemas/a.js'\n" }
  assert.match(importFailures(up)[0]!, /engine may import schemas/)
  assert.match(importFailures(multiline)[0]!, /schemas may import nothing/)
  assert.equal(importFailures(late).length, 1)
  assert.deepEqual(importFailures(down), [])
})

test('imports of the simulator outside tests and verbs are found', () => {
  const text = "import { a } from '../../test/simulation/simulation.js'\n"
  assert.deepEqual(importFailures({ path: 'scripts/command/x.ts', text }), [])
  assert.match(importFailures({ path: 'scripts/deploy/x.ts', text })[0]!, /only test\//)
})

test('an import against the order of the modules of a package is found', () => {
  const failuresOf = (path: string, target: string) =>
    moduleFailures({ path, text: `import { a } from '${target}'\n` })
  const [up] = failuresOf('engine/state/x.ts', '../publish/a.js')
  assert.match(up!, /engine\/state may import memory, .*state\/market; move/)
  assert.equal(failuresOf('engine/memory/x.ts', '../exchange.js').length, 1)
  assert.match(failuresOf('engine/memory/x.ts', '../state/a.js')[0]!, /may import nothing/)
  assert.deepEqual(failuresOf('engine/publish/x.ts', '../state/a.js'), [])
  assert.deepEqual(failuresOf('engine/state/x.ts', './a.js'), [])
  assert.deepEqual(failuresOf('engine/exchange.ts', './threads/a.js'), [])
  assert.deepEqual(failuresOf('engine/memory/x.ts', '../../schemas/a.js'), [])
})

test('imports against the order of the simulator modules are found', () => {
  const text = "import { a } from '../checks/a.js'\n"
  const path = 'test/simulation/published/x.ts'
  assert.match(moduleFailures({ path, text })[0]!, /published may import run; move/)
  assert.deepEqual(moduleFailures({ path: 'test/simulation/published/x.test.ts', text }), [])
})

test('a module without a line in moduleImports is found', () => {
  const text = ''
  assert.match(moduleFailures({ path: 'engine/new/x.ts', text })[0]!, /no line in moduleImports/)
  assert.deepEqual(moduleFailures({ path: 'test/simulation/disk/x.ts', text }), [])
})

test('folders that import each other indirectly are found', () => {
  const file = (path: string, target: string) => ({
    path,
    text: `import { a } from '${target}'\n`,
  })
  const chain = [file('gateway/a/x.ts', '../b/x.js'), file('gateway/b/x.ts', '../c/x.js')]
  assert.deepEqual(circleFailures(chain), [])
  assert.deepEqual(circleFailures([...chain, file('gateway/c/x.test.ts', '../a/x.js')]), [])
  const [circle] = circleFailures([...chain, file('gateway/c/x.ts', '../a/x.js')])
  assert.match(circle!, /^gateway\/a, gateway\/b, gateway\/c import each other/)
})

test('a module in a module has its own line', () => {
  const packages = { gateway: { reads: [], 'reads/routes': ['reads'] } }
  const failuresOf = (path: string, target: string) =>
    moduleFailures({ path, text: `import { a } from '${target}'\n` }, packages).length
  assert.equal(failuresOf('gateway/reads/routes/x.ts', '../a.js'), 0)
  assert.equal(failuresOf('gateway/reads/views/x.ts', '../a.js'), 0)
  assert.equal(failuresOf('gateway/reads/a.ts', './routes/x.js'), 1)
  assert.equal(failuresOf('gateway/reads/routes/x.ts', '../../a.js'), 1)
})

test('no two modules import each other, directly or indirectly', () => {
  for (const modules of Object.values(moduleImports)) {
    const lower = new Set<string>()
    for (const [module, allowed] of Object.entries(modules)) {
      assert.deepEqual(
        allowed.filter((other) => !lower.has(other)),
        [],
        `${module} may import what stands below it in the list only`,
      )
      lower.add(module)
    }
  }
})

test('a second importer of the socket library is found', () => {
  const text = "import { App } from 'uWebSockets.js'\n"
  assert.equal(importFailures({ path: 'gateway/http/x.ts', text }).length, 1)
  assert.equal(importFailures({ path: 'gateway/transport/native-transport.ts', text }).length, 0)
})

test('a clock in the core is found, in a comment it is not', () => {
  assert.equal(bannedFailures({ path: 'engine/core/x.ts', text: 'Date.now()' }).length, 1)
  assert.equal(bannedFailures({ path: 'engine/threads/x.ts', text: 'Date.now()' }).length, 0)
  assert.equal(bannedFailures({ path: 'engine/core/x.ts', text: '// no Date.now here' }).length, 0)
})

test('a citation of what is not in the repository is found, a public standard is none', () => {
  const failuresOf = (text: string) => citationFailures({ path: 'engine/x.ts', text }).length
  assert.equal(failuresOf('// see rules.md 2'), 1)
  assert.equal(failuresOf('/** The loss order (section 6.3). */'), 1)
  assert.equal(failuresOf('// as decision 12 says'), 1)
  assert.equal(failuresOf('// RFC 8259, section 8.1; engine/journal/README.md'), 0)
})

test('a decrease in assertions is found; tests and comments do not count', () => {
  const files = [
    { path: 'engine/a.ts', text: "assert(a, 'a')\n// assert(b, 'b')\nassertIdle(c)\n" },
    { path: 'engine/b.ts', text: "  assert(\n    b,\n    'b',\n  )\n" },
    { path: 'test/engine/a.test.ts', text: 'assert(a)\n' },
  ]
  assert.deepEqual(assertFailures(files, 2), [])
  assert.match(assertFailures(files, 3)[0]!, /^engine\/ has 2 assertions, at least 3: assert what/)
})

test('too many product files that import CoreState are found; tests do not count', () => {
  const text = "import type { CoreState } from '../state/core-state.js'\n"
  const files = [
    { path: 'engine/core/a.ts', text },
    { path: 'engine/core/b.ts', text: "import {\n  CoreState,\n} from '../state/core-state.js'\n" },
    { path: 'engine/core/c.ts', text: "import { a } from '../state/batch.js'\n" },
    { path: 'test/engine/a.test.ts', text: "import '../../engine/state/core-state.js'\n" },
  ]
  assert.deepEqual(stateFailures(files, 2), [])
  assert.match(stateFailures(files, 1)[0]!, /^2 files import CoreState .* at most 1: list what/)
})

test('a file that nobody imports is found, one that is started is not', () => {
  const files = [
    { path: 'engine/a.ts', text: "new URL('./b.js', import.meta.url)" },
    { path: 'engine/b.ts', text: '' },
    { path: 'engine/c.ts', text: '' },
    { path: 'gateway/main.ts', text: "import '../engine/a.js'" },
  ]
  assert.deepEqual(deadFiles(files, ['node dist/gateway/main.js']), [
    'engine/c.ts is imported by nobody: delete it, or name it where it is started',
  ])
})
