import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { themeStyle } from '../../../gateway/wire/page-theme.js'
import { projectPath } from '../../support/project.js'

/** Colors of a rule by their names. */
function colorsOf(rule: string): Readonly<Record<string, string>> {
  const found = rule.matchAll(/(--[a-z]+):\s*(#[0-9a-f]{6})/g)
  return Object.fromEntries([...found].map(([, name, color]) => [name!, color!]))
}

test('pages without a script have the colors of /app, in the light and the dark theme', () => {
  const css = readFileSync(projectPath('gateway/web/pages.css'), 'utf8')
  const [appDark, appLight] = [...css.matchAll(/^:root[^{]*\{[^}]*\}/gm)].map(([rule]) =>
    colorsOf(rule),
  )
  const [light, dark] = themeStyle.split('@media (prefers-color-scheme:dark)').map(colorsOf)
  assert.deepEqual(Object.keys(light!), Object.keys(dark!))
  assert.ok(Object.keys(light!).length > 0)
  for (const name of Object.keys(light!)) {
    assert.deepEqual([light![name], dark![name]], [appLight![name], appDark![name]], name)
  }
})

test('each color of the style is defined', () => {
  const defined = colorsOf(themeStyle)
  for (const [, name] of themeStyle.matchAll(/var\((--[a-z]+)\)/g)) assert.ok(defined[name!], name)
})
