import { readdirSync, readFileSync } from 'node:fs'
import { projectPath } from '../support/project.js'
import { type Mutant, parseMutants } from './mutant.js'

const folder = projectPath('test/mutations/faults')

/** Faults by area: those of the engine, and those in sums of the history. */
export const mutantsByArea: ReadonlyMap<string, readonly Mutant[]> = new Map(
  readdirSync(folder).map((name) => [
    name.replace('.txt', ''),
    parseMutants(readFileSync(`${folder}/${name}`, 'utf8')),
  ]),
)

/** Every fault that unit tests are measured by. */
export const allMutants: readonly Mutant[] = [...mutantsByArea.values()].flat()
