import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startIntake } from '@symup/intake'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeZip } from '../support/crafted-zip.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { runSymup } from '../support/run-symup.ts'

const place = useDirectory()
const intake = useIntake()
/** The stack from the minified script. */
let stack: string

const ESCAPE = '\u001b'
const KEY = 'dev-api-key'
const NAMES = ['--service', 'shop', '--release-version', '1']
const PREFIX = ['--minified-path-prefix', 'https://h/static']

beforeAll(async () => {
  mkdirSync(join(place, 'src'))
  const source = 'export function fail(n: number) {\n  throw new RangeError(String(n))\n}\nfail(Date.now())\n'
  writeFileSync(join(place, 'src/app.ts'), source)
  await build({
    entryPoints: [join(place, 'src/app.ts')],
    outdir: join(place, 'dist'),
    absWorkingDir: place,
    minify: true,
    sourcemap: 'external',
    logLevel: 'silent',
  })
  stack = thrownBy(join(place, 'dist/app.js')).replaceAll(`file://${join(place, 'dist')}`, 'https://h/static')
  writeFileSync(join(place, 'stack.txt'), stack)
})

/** The stack of a script that throws, without the frames of the test runner. */
function thrownBy(script: string): string {
  try {
    return createRequire(script)(script)
  } catch (error) {
    const lines = String((error as Error).stack).split('\n')
    return lines.filter((line) => !line.includes('    at ') || line.includes(script)).join('\n')
  }
}

const uploading = (extra: string[] = [], env: NodeJS.ProcessEnv = {}) =>
  runSymup(['web', 'upload', 'dist', ...NAMES, ...PREFIX, '--no-config-file', ...extra], {
    cwd: place,
    env: { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url, ...env },
  })

describe('symup web upload', () => {
  it('exits with 0 if every artifact is accepted, and reports it in the last line without carriage returns', async () => {
    const { exitCode, stdout, stderr } = await uploading()
    expect(exitCode).toBe(0)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Uploaded 1 artifact/)
    expect(stdout + stderr).not.toMatch(/\r/)
    expect(stdout + stderr).not.toContain(ESCAPE)
    expect(stderr).toBe('')
  })

  it('--json: prints one document on standard output, and prose on standard error', async () => {
    const { exitCode, stdout, stderr } = await uploading(['--json'])
    const report = JSON.parse(stdout)
    expect(exitCode).toBe(0)
    expect(Object.keys(report)).toEqual(['outcomes', 'problems', 'totals', 'positions'])
    expect(report.totals.accepted + report.totals.alreadyThere).toBe(1)
    expect(report.outcomes[0].event).toMatchObject({ service: 'shop', version: '1' })
    expect(stderr).toContain('Uploaded 1 artifact')
  })

  it('--delete-after-upload: deletes accepted maps, and nothing else', async () => {
    const dist = join(place, 'shipped')
    cpSync(join(place, 'dist'), dist, { recursive: true })
    writeFileSync(join(dist, 'world.map'), '{}')
    symlinkSync('app.js', join(dist, 'linked.js'))
    symlinkSync('app.js.map', join(dist, 'linked.js.map'))
    const upload = ['web', 'upload', 'shipped', ...NAMES, ...PREFIX, '--no-config-file', '--delete-after-upload']
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: 'http://127.0.0.1:1' }
    const lost = await runSymup([...upload, '--attempts', '1'], { cwd: place, env })
    expect(lost.exitCode).toBe(1)
    expect(readdirSync(dist).sort()).toEqual(['app.js', 'app.js.map', 'linked.js', 'linked.js.map', 'world.map'])
    const sent = await runSymup(upload, { cwd: place, env: { ...env, SYMUP_ENDPOINT: intake.url } })
    expect(sent.stdout).toContain('Deleted 1 uploaded source map.')
    // A linked map belongs to another project, so it stays, and symup reports that it was not deleted.
    expect(sent.stdout).toContain(
      'map-not-deleted: shipped/linked.js.map: The source map could not be deleted (the file is a symbolic link).',
    )
    expect(sent.stdout).not.toContain('set deleteAfterUpload')
    expect(sent.exitCode).toBe(1)
    expect(readdirSync(dist).sort()).toEqual(['app.js', 'linked.js', 'linked.js.map', 'world.map'])
    expect(readdirSync(join(place, 'dist')).sort()).toEqual(['app.js', 'app.js.map'])
  })

  it('--delete-after-upload: names a map that stays because no script uses it', async () => {
    const dist = join(place, 'orphaned')
    cpSync(join(place, 'dist'), dist, { recursive: true })
    cpSync(join(dist, 'app.js.map'), join(dist, 'other.js.map'))
    const upload = ['web', 'upload', 'orphaned', ...NAMES, ...PREFIX, '--no-config-file', '--delete-after-upload']
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url }
    const { stdout } = await runSymup(upload, { cwd: place, env })
    expect(stdout).toContain(
      'The output still contains 1 source map that symup did not upload (orphaned/other.js.map). Exclude source maps from the deployment.',
    )
  })

  it('--dry-run: shows the plan, needs no key, and sends nothing', async () => {
    const before = (await intake.uploads()).length
    const run = await uploading(['--dry-run', '--json', '--release-version', '2'], { SYMUP_API_KEY: '' })
    expect(run.exitCode).toBe(0)
    const [{ event, parts }] = JSON.parse(run.stdout).uploads
    expect(event.minified_url).toBe('https://h/static/app.js')
    expect(parts.map(({ name }: { name: string }) => name).sort()).toEqual(['minified_file', 'source_map'])
    expect((await uploading(['--dry-run'])).stdout).toContain('https://h/static/app.js')
    expect((await intake.uploads()).length).toBe(before)
  })

  it('exits with 2 for an unusable configuration, and lists every problem with every way to fix it', async () => {
    const run = await runSymup(['web', 'upload', 'dist', '--no-config-file', '--json'], { cwd: place })
    expect(run.exitCode).toBe(2)
    const codes = JSON.parse(run.stdout).problems.map(({ code }: { code: string }) => code)
    expect(codes.sort()).toEqual(['api-key-missing', 'prefix-missing', 'service-missing', 'version-missing'])
    for (const word of ['--service', 'SYMUP_SERVICE', '--release-version', 'SYMUP_API_KEY', 'symup.json']) {
      expect(run.stderr).toContain(word)
    }
  })

  it('exits with 2 for a missing directory, an unknown flag or an invalid number', async () => {
    const missing = ['web', 'upload', 'nowhere', ...NAMES, ...PREFIX]
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url }
    expect((await runSymup(missing, { cwd: place, env })).exitCode).toBe(2)
    for (const wrong of [['--frobnicate'], ['--concurrency', 'many']]) {
      const { exitCode, stderr, stdout } = await uploading(wrong)
      expect(exitCode).toBe(2)
      expect(stderr).toContain(wrong[0])
      expect(stdout).toBe('')
    }
  })

  it.each([
    ['web', 'upload', ...PREFIX],
    ['ios', 'upload'],
    ['flutter', 'upload'],
    ['electron', 'upload'],
    ['harmony', 'upload'],
    ['android', 'upload-ndk', '--variant', 'release'],
    ['android', 'upload-mapping', '--variant', 'release'],
  ])('exits with 2 for a missing path: %s %s', async (group, name, ...flags) => {
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url }
    const run = await runSymup([group as string, name as string, 'nowhere', ...NAMES, ...flags], { cwd: place, env })
    expect(run.exitCode).toBe(2)
    expect(run.stdout + run.stderr).toContain(
      'error directory-unreadable: nowhere: The file or directory does not exist.',
    )
    expect(run.stdout).toContain('Nothing was uploaded because of the errors above.')
  })
})

describe('symup upload', () => {
  const env = { SYMUP_API_KEY: KEY }
  const upload = (path: string[], ...flags: string[]) =>
    runSymup(['upload', ...path, ...NAMES, '--no-config-file', ...flags], {
      cwd: place,
      env: { ...env, SYMUP_ENDPOINT: intake.url },
    })

  it('detects the kind of files at the path, and behaves like the command for that kind', async () => {
    const web = await upload(['dist'], ...PREFIX)
    expect([web.exitCode, web.stdout]).toEqual([0, expect.stringMatching(/^dist: .* \(same as symup web upload\)\n/)])
    writeFileSync(join(place, 'mapping.txt'), 'com.example.A -> a.a:\n    void b() -> c\n')
    const mapping = await upload(['mapping.txt'], '--variant', 'release', '--version-code', '1', '--dry-run', '--json')
    expect(mapping.stderr).toContain('same as symup android upload-mapping')
    expect(JSON.parse(mapping.stdout).uploads[0].event).toMatchObject({ type: 'jvm_mapping_file', variant: 'release' })
  })

  it('passes the React Native bundle in a directory to its command', async () => {
    mkdirSync(join(place, 'ios-output'))
    for (const end of ['', '.map'])
      cpSync(join(place, `dist/app.js${end}`), join(place, `ios-output/main.jsbundle${end}`))
    const run = await upload(['ios-output'], '--build-version', '1', '--dry-run')
    expect([run.exitCode, run.stdout]).toEqual([0, expect.stringContaining('Dry run: would upload 1 artifact')])
  })

  it('tells the symbols of Gradle from those of Breakpad, although the names are alike', async () => {
    const breakpad = `MODULE Linux x86_64 ${'0'.repeat(33)} libshop.so\nPUBLIC 10 0 pay\n`
    for (const [directory, content, command] of [
      ['breakpad', breakpad, 'electron upload'],
      ['gradle', '\x7fELF', 'android upload-ndk'],
    ] as const) {
      mkdirSync(join(place, directory, 'arm64-v8a'), { recursive: true })
      writeFileSync(join(place, directory, 'arm64-v8a/libshop.so.sym'), content)
      expect((await upload([directory], '--dry-run')).stdout).toContain(`(same as symup ${command})`)
    }
  })

  it('passes the mapping in a directory to its command, and asks which one if there are several', async () => {
    const outputs = join(place, 'all outputs/mapping')
    mkdirSync(join(outputs, 'release'), { recursive: true })
    writeFileSync(join(outputs, 'release/mapping.txt'), 'com.example.A -> a.a:\n    void b() -> c\n')
    const flags = ['--variant', 'release', '--version-code', '1', '--dry-run']
    const one = await upload(['all outputs'], ...flags)
    expect([one.exitCode, one.stdout]).toEqual([0, expect.stringContaining('Dry run: would upload 1 artifact')])
    cpSync(join(outputs, 'release'), join(outputs, 'debug'), { recursive: true })
    const two = await upload(['all outputs'], ...flags)
    expect([two.exitCode, two.stderr]).toEqual([2, expect.stringContaining('all outputs contains 2 files')])
    expect(two.stderr).toContain("symup android upload-mapping 'all outputs/mapping/release/mapping.txt'")
  })

  it('passes the archive of a mini program in a directory to its command', async () => {
    const map = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}'
    mkdirSync(join(place, 'packed'))
    writeZip(join(place, 'packed/sourcemap.zip'), { entries: [{ name: '__FULL__/a.js.map', content: map }] })
    const { exitCode, stdout } = await upload(['packed'], '--dry-run')
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^packed.sourcemap\.zip: [\s\S]*Dry run: would upload 1 artifact/),
    ])
  })

  it('accepts files that are linked from --allowed-root, like the command for that kind', async () => {
    mkdirSync(join(place, 'links'))
    for (const name of ['app.js', 'app.js.map']) symlinkSync(join(place, 'dist', name), join(place, 'links', name))
    expect(await upload(['links'], ...PREFIX)).toMatchObject({ exitCode: 3 })
    expect(await upload(['links'], ...PREFIX, '--allowed-root', 'dist')).toMatchObject({ exitCode: 0 })
  })

  it('exits with 2 without a path or with two kinds of files, and with 3 if no file is supported', async () => {
    expect((await upload([])).exitCode).toBe(2)
    mkdirSync(join(place, 'both'))
    cpSync(join(place, 'dist'), join(place, 'both'), { recursive: true })
    writeFileSync(join(place, 'both/mapping.txt'), '')
    const both = await upload(['both'], ...PREFIX)
    expect([both.exitCode, both.stderr]).toEqual([
      2,
      expect.stringMatching(
        /(?:symup web upload both; symup android upload-mapping both.mapping\.txt|symup android upload-mapping both.mapping\.txt; symup web upload both)$/m,
      ),
    ])
    mkdirSync(join(place, 'neither'))
    expect((await upload(['neither'])).exitCode).toBe(3)
    writeFileSync(join(place, 'neither/app.js'), 'f()')
    const unmapped = await upload(['neither'])
    expect([unmapped.exitCode, unmapped.stderr]).toEqual([
      3,
      expect.stringContaining('neither contains 1 JavaScript file, but no usable source maps.'),
    ])
    expect((await upload(['nowhere'])).exitCode).toBe(2)
  })
})

describe('symup explain', () => {
  const explaining = (args: string[], input = '') =>
    runSymup(['explain', ...NAMES, '--no-config-file', ...args], {
      cwd: place,
      input,
      env: { SYMUP_APP_KEY: 'dev-app-key' },
    })

  it('exits with 0 with a stack from a file or standard input, and with an intake or a directory', async () => {
    for (const where of [
      ['--intake', intake.url],
      ['--dir', 'dist', ...PREFIX],
    ]) {
      const run = await explaining(['-', ...where], stack)
      expect(run.exitCode).toBe(0)
      expect(run.stdout).toMatch(
        /^RangeError: \d+\nResolved 1 of 1 frame\.|^RangeError: \d+\nResolved \d of \d frames\./,
      )
      expect(run.stdout).toMatch(/→ fail {2}src\/app\.ts:2:/)
      expect(run.stdout).toContain('> 2 |   throw new RangeError')
    }
    const json = await explaining(['stack.txt', '--json', '--intake', intake.url])
    expect(JSON.parse(json.stdout).frames[0].resolved).toMatchObject({ function: 'fail', file: 'src/app.ts', line: 2 })
  })

  it('exits with 1 if the maps were uploaded and deleted, and names once the command that queries the intake', async () => {
    const project = join(place, 'deleted')
    cpSync(join(place, 'dist'), join(project, 'dist'), { recursive: true })
    mkdirSync(join(project, 'node_modules'))
    const command = ['web', 'upload', 'dist', ...NAMES, ...PREFIX, '--no-config-file', '--delete-after-upload']
    const env = { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url, SYMUP_APP_KEY: 'dev-app-key' }
    expect((await runSymup(command, { cwd: project, env })).exitCode).toBe(0)
    writeFileSync(join(project, 'stack.txt'), stack)
    const run = await runSymup(['explain', 'stack.txt', '--dir', 'dist'], { cwd: project, env })
    expect([run.exitCode, run.stderr]).toEqual([1, ''])
    const asking = `npx symup explain stack.txt --intake ${intake.url} --service shop --release-version 1`
    expect(run.stdout.split('The source maps from this build were deleted after the upload.')).toHaveLength(2)
    expect(run.stdout).toContain(`  fix: To resolve the stack with the intake, run: ${asking}\n`)
    expect((await runSymup(asking.split(' ').slice(2), { cwd: project, env })).exitCode).toBe(0)
  })

  it('reports that a stack is longer than the limit', async () => {
    const long = `RangeError: x\n${'    at f (node:internal/a:1:1)\n'.repeat(501)}`
    const output = 'The stack contains more frames. Only the first 500 frames are listed.'
    for (const where of [
      ['--intake', intake.url],
      ['--dir', 'dist', ...PREFIX],
    ]) {
      expect((await explaining(['-', ...where], long)).stdout.trimEnd().split('\n').at(-1)).toBe(output)
      expect(JSON.parse((await explaining(['-', '--json', ...where], long)).stdout).note).toBe(output)
    }
  })

  it('exits with 1 if a frame stays unresolved, with the reason and the fix', async () => {
    const run = await explaining(['stack.txt', '--intake', intake.url, '--release-version', '9'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toContain('No upload for shop has the version 9. Uploaded versions: ')
    expect(run.stdout).toContain('fix:')
  })

  it('exits with 2 if the intake cannot be asked, and with 3 if the stack contains no frame', async () => {
    const away = await explaining(['stack.txt', '--intake', 'http://127.0.0.1:1'])
    expect(away.exitCode).toBe(2)
    expect(away.stderr).toContain('The connection was refused (ECONNREFUSED).')
    const wrongKey = await explaining(['stack.txt', '--intake', intake.url, '--app-key', 'not-the-key'])
    expect(wrongKey.exitCode).toBe(2)
    expect(wrongKey.stdout + wrongKey.stderr).not.toContain('not-the-key')
    expect((await explaining(['no-such-file', '--intake', intake.url])).exitCode).toBe(2)
    const words = await explaining(['-', '--intake', intake.url], 'just words')
    expect([words.exitCode, words.stderr]).toEqual([3, expect.stringContaining('error no-frame-found: ')])
  })
})

describe('symup intake', () => {
  it('exits with 2, or with 1 for commands on the store, if the database is damaged', async () => {
    mkdirSync(join(place, 'damaged'))
    writeFileSync(join(place, 'damaged/intake.db'), 'no database at all'.repeat(1000))
    const file = join('damaged', 'intake.db')
    const why = `The store ${file} is damaged (file is not a database). Restore a backup, or move damaged to another location and upload again.`
    const started = await runSymup(['intake', '--port', '0', '--data', 'damaged'], { cwd: place })
    expect([started.exitCode, started.stderr.trim()]).toEqual([2, `Could not start the intake. ${why}`])
    const collected = await runSymup(['intake', 'gc', '--data', 'damaged'], { cwd: place })
    expect([collected.exitCode, collected.stderr.trim()]).toEqual([1, why])
  })

  it.each([['gc'], ['export', 'backup']])('exits with 2 if there is no store to %s', async (...command) => {
    const run = await runSymup(['intake', ...command, '--data', 'mistyped'], { cwd: place })
    expect([run.exitCode, run.stderr]).toEqual([2, 'No store found in mistyped: intake.db does not exist.\n'])
    expect(readdirSync(place)).not.toContain('mistyped')
    expect(readdirSync(place)).not.toContain('backup')
  })

  it('exits with 2 without creating a store if the export is missing or the target exists', async () => {
    const imported = await runSymup(['intake', 'import', 'mistyped', '--data', 'new-store'], { cwd: place })
    expect([imported.exitCode, imported.stderr]).toEqual([
      2,
      'mistyped contains no export: manifest.json is missing.\n',
    ])
    expect(readdirSync(place)).not.toContain('new-store')
    mkdirSync(join(place, 'exported'))
    writeFileSync(join(place, 'exported/records.ndjson'), '')
    const exported = await runSymup(['intake', 'export', 'exported', '--data', 'new-store'], { cwd: place })
    expect([exported.exitCode, exported.stderr]).toEqual([
      2,
      'exported already contains an export. Pass another directory.\n',
    ])
  })

  it("exits with 2 in the user's language if the target of an export is not empty", async () => {
    const running = await startIntake({ dataDir: join(place, 'full') })
    expect((await uploading([], { SYMUP_ENDPOINT: running.url })).exitCode).toBe(0)
    await running.close()
    expect((await runSymup(['intake', 'export', 'full-export', '--data', 'full'], { cwd: place })).exitCode).toBe(0)
    const again = ['intake', 'import', 'full-export', '--data', 'full']
    const english = await runSymup(again, { cwd: place })
    expect([english.exitCode, english.stderr]).toEqual([
      2,
      'The store is not empty. Import the export into a new store.\n',
    ])
    const chinese = await runSymup([...again, '--lang', 'zh'], { cwd: place })
    expect([chinese.exitCode, chinese.stderr]).toEqual([2, '存储不为空：导出只能导入到新的存储。\n'])
  })

  it.each([
    ['x', 'manifest.json is not valid JSON, so the export is damaged.'],
    ['null', 'The export format undefined is not supported.'],
    ['{"format":1}', 'The export is damaged because manifest.json does not contain the record counts or the hash.'],
  ])('exits with 1 if the manifest of an export is %s', async (manifest, words) => {
    const directory = mkdtempSync(join(place, 'export-'))
    writeFileSync(join(directory, 'manifest.json'), manifest)
    const run = await runSymup(['intake', 'import', directory, '--data', join(directory, 'store')], { cwd: place })
    expect([run.exitCode, run.stderr.trim()]).toEqual([1, words])
  })

  it.each<[string, string[], string[]]>([
    ['neither an intake nor a directory was given', [], ['symbols-unlocated']],
    [
      'every missing value for a query to an intake is listed',
      ['--intake', 'intake.example.com'],
      ['endpoint-invalid', 'app-key-missing', 'service-missing', 'version-missing'],
    ],
  ])('exits with 2 in explain: %s', async (_, flags, codes) => {
    const args = ['explain', 'stack.txt', '--no-config-file', '--json', ...flags]
    const run = await runSymup(args, { cwd: place })
    const { problems } = JSON.parse(run.stdout) as { problems: { code: string }[] }
    expect([run.exitCode, problems.map(({ code }) => code)]).toEqual([2, codes])
  })

  it.each<[string, number, string]>([
    ['/shop', 0, 'minifiedPathPrefix = /shop ← symup.json'],
    ['\\shop', 2, 'error prefix-invalid: '],
  ])(
    'shows and checks the prefix %s from symup.json in doctor like every setting',
    async (minifiedPathPrefix, code, words) => {
      const cwd = mkdtempSync(join(place, 'project-'))
      const config = { service: 'shop', version: '1', minifiedPathPrefix }
      writeFileSync(join(cwd, 'symup.json'), JSON.stringify(config))
      const { exitCode, stdout } = await runSymup(['doctor'], {
        cwd,
        env: { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: intake.url },
      })
      expect([exitCode, stdout]).toEqual([code, expect.stringContaining(words)])
    },
  )

  it('exits with 2 if the key is the placeholder from an example, which no header can contain', async () => {
    const run = await uploading([], { SYMUP_API_KEY: '…' })
    expect([run.exitCode, run.stderr]).toEqual([
      2,
      expect.stringContaining(
        'error value-invalid: The value of apiKey from SYMUP_API_KEY contains an invalid character',
      ),
    ])
  })

  it.each<[string, string, string]>([
    ['schema', 'reprot', 'error command-invalid: Unknown schema "reprot". Did you mean "report"?'],
    ['completion', 'powershell', 'error command-invalid: Shell completion is not available for "powershell".'],
  ])('exits with 2: %s %s', async (command, what, words) => {
    const run = await runSymup([command, what], { cwd: place })
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining(words)])
    expect(run.stderr).toContain('fix: Use one of these values: ')
  })

  it('exits with 2 if the seed is invalid, without showing its keys', async () => {
    const seed = join(place, 'wrong.yaml')
    const members = [{ person_id: 70, name: 'Zoe', role: 'admin' }]
    const keys = [{ key: 'zoes-app-key', person_id: 70, permissions: ['All'] }]
    writeFileSync(seed, JSON.stringify({ accounts: [{ account_id: 7, name: 'Seven', members, app_keys: keys }] }))
    const { exitCode, stdout, stderr } = await runSymup(['intake', '--port', '0', '--seed', seed], { cwd: place })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`${seed}: accounts[0].app_keys[0].permissions[0] must be Audit Read, `)
    expect(stderr).not.toContain('zoes-')
  })

  it('exits with 2 if the port is in use', async () => {
    const { port } = new URL(intake.url)
    const run = await runSymup(['intake', '--port', port], { cwd: place })
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toContain(`Port ${port} is in use`)
  })
})

it('prints the help, and reports an unknown command', async () => {
  const help = await runSymup(['--help'], { cwd: place })
  expect(help.exitCode).toBe(0)
  expect(help.stdout).toContain('symup upload dist')
  expect((await runSymup(['frobnicate'], { cwd: place })).exitCode).toBe(2)
})
