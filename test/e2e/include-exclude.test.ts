import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { uploadMiniProgram } from '@symup/mini-program'
import symupVite from '@symup/unplugin/vite'
import { build as viteBuild } from 'vite'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answerRequest } from '../../packages/android/src/run.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { printedLines } from '../support/printed.ts'
import { runSymup } from '../support/run-symup.ts'

const intake = useIntake()
const place = useDirectory('each')
beforeEach(async () => {
  await intake.reset()
})

const MAP = { version: 3, sources: ['a.ts'], sourcesContent: ['f()'], names: [], mappings: 'AAAA' }
const sentUrls = async () => (await intake.uploads()).map(({ event }) => String(event.minified_url)).sort()

function script(file: string): void {
  const path = join(place, file)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, 'f()\n')
  writeFileSync(`${path}.map`, JSON.stringify(MAP))
}

describe('include and exclude in the command', () => {
  beforeEach(() => {
    for (const file of ['app.js', 'assets/a.js', 'assets/b.js', 'vendor/c.js']) script(`dist/${file}`)
    // A script without a map would cause a warning if it were not excluded.
    writeFileSync(join(place, 'dist/vendor/no-map.js'), 'g()\n')
  })
  const upload = (...flags: string[]) =>
    runSymup(
      ['web', 'upload', 'dist', '--service', 's', '--release-version', '1', '--minified-path-prefix', '/', ...flags],
      { cwd: place, env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url } },
    )

  it('uploads only the selected files, and causes no warning about the other files', async () => {
    const run = await upload(
      '--exclude',
      'vendor/**',
      '--exclude',
      'assets\\b.js',
      '--fail-on-warnings',
      '--disable-git',
    )
    expect(run.exitCode).toBe(0)
    expect(await sentUrls()).toEqual(['/app.js', '/assets/a.js'])
    expect(run.stdout).toContain('info files-excluded: The include and exclude patterns excluded 3 files.')
    expect(run.stdout).not.toContain('no-map')
  })
})

it('excludes scripts in the Vite plugin, and does not deploy their maps', async () => {
  mkdirSync(join(place, 'src'))
  writeFileSync(join(place, 'src/index.html'), '<script type="module" src="./main.js"></script>')
  writeFileSync(join(place, 'src/main.js'), 'import("./lazy.js").then(({ f }) => f(location.href))\n')
  writeFileSync(join(place, 'src/lazy.js'), 'export const f = (text) => { console.log(text) }\n')
  const printed = printedLines()
  await viteBuild({
    root: join(place, 'src'),
    configFile: false,
    plugins: [
      symupVite({
        service: 's',
        version: '1',
        apiKey: 'dev-api-key',
        endpoint: intake.url,
        git: false,
        exclude: 'assets\\lazy-*',
        deleteAfterUpload: true,
      }),
    ],
  })
  vi.restoreAllMocks()
  expect(await sentUrls()).toEqual([expect.stringMatching(/^\/assets\/index-/)])
  expect(printed.join('\n')).toContain('info files-excluded: The include and exclude patterns excluded 1 file.')
  expect(printed.join('\n')).toContain('Deleted 1 source map that the intake does not need')
  const maps = readdirSync(join(place, 'src/dist/assets')).filter((file) => file.endsWith('.map'))
  expect(maps).toEqual([])
})

it('accepts a list in Gradle, relative to the directory of the mapping file', async () => {
  mkdirSync(join(place, 'build/mapping'), { recursive: true })
  const mappingFile = join(place, 'build/mapping/mapping.txt')
  writeFileSync(mappingFile, 'com.example.Shop -> a.a:\n    void pay() -> a\n')
  const upload = async (settings: object) => {
    const lines: string[] = []
    const request = {
      task: 'upload-mapping',
      variant: 'release',
      directory: place,
      settings: { service: 's', version: '1', apiKey: 'dev-api-key', endpoint: intake.url, ...settings },
      build: { versionCode: 1 },
      mappingFile,
      usualMappingFiles: [],
      trimIndents: true,
      temporaryDirectory: join(place, 'temporary'),
    }
    const exitCode = await answerRequest(Readable.from([JSON.stringify(request)]), ({ text }) => void lines.push(text))
    return { exitCode, text: lines.join('\n') }
  }
  expect(await upload({ include: null, exclude: ['*.map'] })).toMatchObject({ exitCode: 0 })
  const left = await upload({ exclude: ['*.map', 'mapping.txt'] })
  expect(left).toMatchObject({
    exitCode: 3,
    text: expect.stringContaining('include and exclude patterns excluded 1 file.'),
  })
  expect(await intake.uploads()).toHaveLength(1)
})

it('includes only selected files in the archive of a mini program', async () => {
  for (const file of ['app.js', 'pages/index.js', 'vendor/lib.js']) script(`mini/${file}`)
  writeFileSync(join(place, 'mini/app.json'), JSON.stringify({ pages: ['pages/index'] }))
  const lines: string[] = []
  const given = {
    service: 's',
    version: '1',
    apiKey: 'dev-api-key',
    endpoint: intake.url,
    cwd: place,
    output: 'maps.zip',
  }
  const log = ({ text }: { text: string }) => void lines.push(text)
  expect(await uploadMiniProgram('mini', { ...given, exclude: ['vendor/**'], log })).toMatchObject({ exitCode: 0 })
  expect(lines.join('\n')).toContain('files-excluded: The include and exclude patterns excluded 1 file.')
  const [sent] = await intake.uploads()
  const archive = await sent?.parts.find(({ name }) => name === 'sourcemap_archive')?.read()
  expect(archive?.includes('pages/index.js.map')).toBe(true)
  expect(archive?.includes('vendor/lib.js.map')).toBe(false)
})
