import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CountedFill,
  countFill,
  entriesMax,
  entryAt,
  isFrozen,
  Measure,
  MmpTrigger,
  MmpWindow,
  measureCount,
  resetWindow,
  restoreEntry,
  setLimits,
  signedSumMicros,
  sumMicros,
} from '../../../engine/matching/mmp-window.js'
import { sizeLotsOf } from '../../support/amounts.js'
import { vectorsPath } from '../../support/project.js'

interface VectorFill {
  readonly t_ms: number
  readonly side: 'Buy' | 'Sell'
  readonly size: string
  readonly delta: string
  readonly vega: string
  readonly sum_qty: string
  readonly sum_delta: string
  readonly sum_vega: string
  readonly triggered: readonly string[]
  readonly frozen_until_ms?: number | null
}

interface Vector {
  readonly id: string
  readonly name: string
  readonly config: Readonly<Record<string, string | number>>
  readonly fills: readonly VectorFill[]
}
