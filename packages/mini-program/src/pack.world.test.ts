import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { needs } from '../../../test/support/tool.ts'
import { pack } from './index.ts'

const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}'
const unzip = needs('unzip', spawnSync('unzip', ['-v']).status === 0, 'Debian: unzip')

it.skipIf(!unzip.isThere)(`unzip reads what was packed, and finds nothing wrong with it${unzip.reason}`, async () => {
  const place = mkdtempSync(join(tmpdir(), 'symup-pack-'))
  const output = join(place, 'out/sourcemap.zip')
  try {
    const files = {
      'app.json': JSON.stringify({
        pages: ['pages/index/index'],
        subPackages: [{ root: 'packageA', pages: ['cart'] }],
      }),
      ...Object.fromEntries(['app', 'pages/index/index', 'packageA/cart'].map((name) => [`${name}.js.map`, MAP])),
      ...Object.fromEntries(['app', 'pages/index/index', 'packageA/cart'].map((name) => [`${name}.js`, ''])),
    }
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(place, 'dist', name)), { recursive: true })
      writeFileSync(join(place, 'dist', name), content)
    }
    const { maps } = await pack(join(place, 'dist'), { output })
    execFileSync('unzip', ['-tqq', output])
    const names = execFileSync('unzip', ['-Z1', output], { encoding: 'utf8' }).trim().split('\n')
    expect(names).toHaveLength(3)
    expect(names).toEqual(maps.map(({ entry }) => entry).sort())
  } finally {
    rmSync(place, { recursive: true })
  }
})
