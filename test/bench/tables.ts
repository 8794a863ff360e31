import { resolve } from 'node:path'
import { BUNDLERS } from './bundlers/builds.ts'
import { bundlerTable } from './bundlers/tables.ts'
import { intakeTable } from './intake/uploads.ts'
import { nativeFramesTable } from './native/tables.ts'
import { explainTable } from './resolve/explain.ts'
import type { Table } from './table.ts'
import { startTable, uploadTable } from './upload/tables.ts'

/** A table of the page, and how it is measured. */
export interface TableEntry {
  name: string
  /** @throws Failed if it cannot be measured on this machine. */
  measure(rounds: number): Promise<Table>
}

const caches = resolve(import.meta.dirname, '../../node_modules/.cache/symup')
const uploads = resolve(caches, 'bench')
const builds = resolve(caches, 'bench-bundlers')

export const TABLES: readonly TableEntry[] = [
  { name: 'start', measure: startTable },
  ...(['M', 'L', 'X', 'N'] as const).map((size) => ({
    name: `upload-${size}`,
    measure: (rounds: number) => uploadTable(size, uploads, rounds),
  })),
  { name: 'intake-M', measure: (rounds) => intakeTable('M', uploads, rounds) },
  { name: 'explain', measure: (rounds) => explainTable(uploads, rounds) },
  { name: 'native-frames', measure: nativeFramesTable },
  ...BUNDLERS.map((bundler) => ({
    name: `plugin-${bundler}`,
    measure: (rounds: number) => bundlerTable(bundler, builds, rounds),
  })),
]
