import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  generateMessages,
  generateShapes,
  messagesFile,
  shapesFile,
} from '../../scripts/generate-messages.js'
import { projectPath } from '../support/project.js'

test('types of messages are what the table of messages generates', () => {
  const committed = readFileSync(projectPath(messagesFile), 'utf8')
  assert.equal(committed, generateMessages(), `${messagesFile}: run npm run generate`)
})

test('and so are the shapes that the client holds messages against', () => {
  const committed = readFileSync(projectPath(shapesFile), 'utf8')
  assert.equal(committed, generateShapes(), `${shapesFile}: run npm run generate`)
})
