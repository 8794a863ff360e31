import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useDirectory, writeIn } from '../../../test/support/directory.ts'
import { needs } from '../../../test/support/tool.ts'
import { pack } from './index.ts'

const place = useDirectory('each')

const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}'
const unzip = needs('unzip', spawnSync('unzip', ['-v']).status === 0, 'Debian: unzip')

it.skipIf(!unzip.isThere)(`passes the integrity check of unzip${unzip.reason}`, async () => {
  const output = join(place, 'out/sourcemap.zip')
  const files = {
    'app.json': JSON.stringify({
      pages: ['pages/index/index'],
      subPackages: [{ root: 'packageA', pages: ['cart'] }],
    }),
    ...Object.fromEntries(['app', 'pages/index/index', 'packageA/cart'].map((name) => [`${name}.js.map`, MAP])),
    ...Object.fromEntries(['app', 'pages/index/index', 'packageA/cart'].map((name) => [`${name}.js`, ''])),
  }
  for (const [name, content] of Object.entries(files)) writeIn(join(place, 'dist'), name, content)
  const { maps } = await pack(join(place, 'dist'), { output })
  execFileSync('unzip', ['-tqq', output])
  const names = execFileSync('unzip', ['-Z1', output], { encoding: 'utf8' }).trim().split('\n')
  expect(names).toHaveLength(3)
  expect(names).toEqual(maps.map(({ entry }) => entry).sort())
})
