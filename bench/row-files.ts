import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { CommonRow, Direction } from './common-row.js'

// Files of rows, as `--out` writes and `--baseline` reads them. Continuous-benchmark actions apply one direction to a whole
// file (`customBiggerIsBetter`, `customSmallerIsBetter`), so rows of both directions are written to two files.

const directions: readonly Direction[] = ['bigger', 'smaller']

/**
 * Writes rows as JSON arrays. Removes files of an earlier run under the names that this run does not use.
 * @param path path of the file; two files get `.bigger` and `.smaller` before its ending.
 * @returns the paths of the written files.
 */
export function writeRows(path: string, rows: readonly CommonRow[]): readonly string[] {
  const groups = directions.flatMap((direction) => {
    const group = rows.filter((row) => row.direction === direction)
    return group.length === 0 ? [] : [{ path: directedPath(path, direction), group }]
  })
  const files = groups.length === 2 ? groups : [{ path, group: rows }]
  for (const file of files) writeFileSync(file.path, `${JSON.stringify(file.group, null, 2)}\n`)
  const written = files.map((file) => file.path)
  const isStale = (file: string) => !written.includes(file) && isRegular(file)
  for (const file of allPaths(path).filter(isStale)) rmSync(file)
  return written
}

/**
 * Reads the rows that `writeRows` wrote for a path, or the whole result that a run printed.
 * @throws Error when a file cannot be read or has no rows.
 */
export function readRows(path: string): readonly CommonRow[] {
  const found = allPaths(path).filter(existsSync)
  return (found.length === 0 ? [path] : found).flatMap(rowsOf)
}

function rowsOf(path: string): readonly CommonRow[] {
  const rows = figuresIn(readFileSync(path, 'utf8'), path) as readonly CommonRow[]
  if (rows.every(({ quick }) => typeof quick === 'boolean')) return rows
  throw new Error(`${path} has no rows of this version of the benchmarks`)
}

/** Fields of a row that every version of the benchmarks writes. */
export type Figure = Pick<CommonRow, 'name' | 'value'>

/**
 * Reads the rows of an array, or of a whole result.
 * @param source name of the text, for the error.
 * @throws Error if there are none.
 */
export function figuresIn(text: string, source: string): readonly Figure[] {
  const read = JSON.parse(text)
  const rows = Array.isArray(read) ? read : read?.results
  if (Array.isArray(rows) && rows.length > 0 && rows.every(isFigure)) return rows
  throw new Error(`${source} has no rows`)
}

function isFigure(row: Partial<Figure> | null): boolean {
  return typeof row?.value === 'number' && typeof row.name === 'string'
}

/** False for `/dev/stdout`, which is a link. */
function isRegular(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function allPaths(path: string): readonly string[] {
  return [path, ...directions.map((direction) => directedPath(path, direction))]
}

function directedPath(path: string, direction: Direction): string {
  const ending = extname(path)
  return `${path.slice(0, path.length - ending.length)}.${direction}${ending}`
}
