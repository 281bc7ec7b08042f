import { readdirSync, readFileSync } from 'node:fs'
import { projectPath } from '../support/project.js'
import { type Mutant, parseMutants } from './mutant.js'

const folder = projectPath('test/mutations/faults')

/** Faults by area. They are in the engine, and in the sums of the history. */
export const mutantsByArea: ReadonlyMap<string, readonly Mutant[]> = new Map(
  readdirSync(folder).map((name) => [
    name.replace('.txt', ''),
    parseMutants(readFileSync(`${folder}/${name}`, 'utf8')),
  ]),
)

/** Faults that the unit tests must find. */
export const allMutants: readonly Mutant[] = [...mutantsByArea.values()].flat()
