import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { clientFile, generateClient } from '../../scripts/generate-client.js'
import { projectPath } from '../support/project.js'

test('the committed file of the client equals the output of the generator', () => {
  assert.equal(readFileSync(projectPath(clientFile), 'utf8'), generateClient())
})
