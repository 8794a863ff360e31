import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { outputBelow } from './output-below.ts'

const root = useDirectory()

it('finds scripts with an adjacent or named map, and no other scripts if maps exist', async () => {
  mkdirSync(join(root, 'static/chunks'), { recursive: true })
  const write = (file: string, text = '1') => writeFileSync(join(root, file), text)
  for (const file of ['static/a.js', 'static/a.js.map', 'static/other-name.js.map', 'static/a.css', 'static/a.css.map'])
    write(file)
  write('static/chunks/b.js', 'b()\n//# sourceMappingURL=../other-name.js.map')
  write('static/_buildManifest.js', 'self.__BUILD_MANIFEST = {}')
  write('server.js.map')
  const output = await outputBelow(root, { deployed: 'static', deletes: true })
  const maps = ['static/a.css.map', 'static/a.js.map', 'static/other-name.js.map']
  expect([...output.files].sort()).toEqual(['static/a.css', ...maps, 'static/a.js', 'static/chunks/b.js'].sort())
  expect([...output.deletable].sort()).toEqual(maps)
  expect(output.maps.get('static/a.js')).toBe('static/a.js.map')
  expect((await outputBelow(root, { deployed: 'static' })).deletable.size).toBe(0)
})

it('finds nothing if the directory does not exist', async () => {
  expect((await outputBelow(join(root, 'nowhere'), { deployed: 'static', deletes: true })).files.size).toBe(0)
})
