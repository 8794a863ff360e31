import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// The exit codes in `docs/gate.md`, which is generated from this table. gate.test.ts runs each cell.

export const COLUMNS = [
  'check',
  'check --fail-on-warnings',
  'upload',
  'upload --policy strict',
  'plugin',
  'plugin, failOnFindings',
] as const
export type Column = (typeof COLUMNS)[number]

/** A build of two scripts with hidden source maps, and a change to it. */
export interface Situation {
  name: string
  /** Changes the directory `dist` of a good build. */
  change(dist: string): void
  /** In the order of {@link COLUMNS}. */
  exitCodes: readonly [number, number, number, number, number, number]
  /** Code of a finding, without those of a good build. */
  code?: string
  /** Last line of an upload that arrives anyway. */
  lastLine?: string
}

/** The planted key. Encoded, because the watch over our own tests would find the plain key. */
export const KEY = 'k-of-some-length'
const PLANTED = `fetch("/",{headers:{k:"${Buffer.from(KEY).toString('base64')}"}})\n`

const prepend = (file: string, text: string) => writeFileSync(file, text + readFileSync(file, 'utf8'))
const edit = (file: string, change: (map: { mappings: string }) => object) =>
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))))

export const SITUATIONS: readonly Situation[] = [
  { name: 'every position resolves', change: () => undefined, exitCodes: [0, 1, 0, 0, 0, 0] },
  {
    name: 'a banner was prepended to one script',
    change: (dist) => prepend(join(dist, 'main.js'), '/* Copyright\n * Shop */\n'),
    exitCodes: [1, 1, 0, 1, 0, 1],
    code: 'map-offset',
    lastLine: 'Uploaded 2 artifacts, but 1 script does not match its source map.',
  },
  {
    name: 'a banner was prepended to every script',
    change: (dist) => {
      for (const file of ['main.js', 'cart.js']) prepend(join(dist, file), '/* Copyright\n * Shop */\n')
    },
    exitCodes: [1, 1, 0, 1, 0, 1],
    code: 'map-offset',
    lastLine: 'Uploaded 2 artifacts, but none of the checked positions resolve.',
  },
  {
    name: 'the map of one script is from another build',
    change: (dist) => writeFileSync(join(dist, 'main.js.map'), readFileSync(join(dist, 'cart.js.map'))),
    exitCodes: [1, 1, 0, 1, 0, 1],
    lastLine: 'Uploaded 2 artifacts, but 1 script does not match its source map.',
  },
  {
    name: 'the mappings of one map end halfway',
    change: (dist) =>
      edit(join(dist, 'cart.js.map'), (map) => ({
        ...map,
        mappings: map.mappings.slice(0, map.mappings.indexOf(',', map.mappings.length / 2)),
      })),
    exitCodes: [1, 1, 0, 1, 0, 1],
    lastLine: 'Uploaded 2 artifacts, but 1 script does not match its source map.',
  },
  {
    name: 'one map is damaged',
    change: (dist) => writeFileSync(join(dist, 'main.js.map'), readFileSync(join(dist, 'main.js.map')).subarray(0, 99)),
    exitCodes: [1, 1, 1, 1, 0, 1],
    code: 'map-invalid',
  },
  {
    name: 'one script has no map',
    change: (dist) => rmSync(join(dist, 'main.js.map')),
    exitCodes: [0, 1, 0, 0, 0, 1],
    code: 'no-map',
  },
  {
    name: 'no script has a map',
    change: (dist) => {
      for (const file of ['main.js.map', 'cart.js.map']) rmSync(join(dist, file))
    },
    exitCodes: [1, 1, 3, 3, 0, 1],
    code: 'no-map',
  },
  {
    name: 'a script refers to its map',
    change: (dist) => appendFileSync(join(dist, 'main.js'), '//# sourceMappingURL=main.js.map\n'),
    exitCodes: [1, 1, 0, 0, 0, 0],
    code: 'leak-map',
  },
  {
    name: 'a script contains the API key',
    change: (dist) => appendFileSync(join(dist, 'main.js'), PLANTED),
    exitCodes: [1, 1, 1, 1, 1, 1],
    code: 'leak-api-key',
  },
  {
    name: 'the directory contains no script',
    change: (dist) => {
      for (const file of ['main.js', 'cart.js']) for (const end of ['', '.map']) rmSync(join(dist, file + end))
    },
    exitCodes: [3, 3, 3, 3, 0, 1],
    code: 'nothing-found',
  },
]
