import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mapsBelow, projectRules } from './project-walk.ts'
import { listFiles } from './walk.ts'

async function listProjectFiles(directory: string) {
  const { enters, ignored } = projectRules(directory)
  return { files: await listFiles(directory, { enters }), ignored }
}

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'symup-walk-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

function write(...files: (string | [string, string])[]): void {
  for (const file of files) {
    const [path, text] = typeof file === 'string' ? [file, ''] : file
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
}

it('skips node_modules, .git and the paths in .gitignore at any depth', async () => {
  write(
    'a.js',
    'node_modules/x/x.js',
    '.git/hooks/h.js',
    'dist/a.js',
    'dist/a.js.map',
    'packages/b/out/b.js',
    'packages/b/b.js',
  )
  write(['.gitignore', '/dist\n*.map\n!keep/\n'], ['packages/b/.gitignore', 'out'])
  const { files, ignored } = await listProjectFiles(place)
  expect(files.filter((file) => file.endsWith('.js'))).toEqual(['a.js', 'packages/b/b.js'])
  expect(ignored).toEqual(['dist', 'packages/b/out'])
  expect([...(await mapsBelow(place, ignored))]).toEqual([['dist', 1]])
})

it('reads an explicitly named directory and its maps even if Git ignores it', async () => {
  write(['.gitignore', 'dist\n*.map\n'], ['dist/.gitignore', '*\n'], 'dist/assets/a.js', 'dist/assets/a.js.map')
  const { files } = await listProjectFiles(join(place, 'dist'))
  expect(files).toEqual(['.gitignore', 'assets/a.js', 'assets/a.js.map'])
  write('node_modules/x/x.js')
  expect((await listProjectFiles(join(place, 'node_modules'))).files).toEqual(['x/x.js'])
})

it('walks nested directories and skips blank lines in .gitignore', async () => {
  const deep = 'd/'.repeat(30)
  write(['.gitignore', '\n\n\nout\n'], `${deep}a.js`, `${deep}out/a.js`)
  const { files, ignored } = await listProjectFiles(place)
  expect(files).toEqual(['.gitignore', `${deep}a.js`])
  expect(ignored).toEqual([`${deep}out`])
})
