import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectFlutter, type Verdict } from '@symup/core'
import { describe, expect, it } from 'vitest'
import type { SymupOptions } from '../../packages/unplugin/src/options.ts'
import { type BundleOutput, outputOf } from '../../packages/unplugin/src/output.ts'
import { openSession } from '../../packages/unplugin/src/session.ts'
import { useDirectory, writeIn } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

const intake = useIntake()
const root = useDirectory()

const MAP = '{"version":3,"sources":["a.ts"],"sourcesContent":["fail()"],"names":[],"mappings":"AAAA"}'

/** An output directory below the project with these scripts, each with a map. */
function written(directory: string, ...scripts: string[]): BundleOutput {
  const files = scripts.flatMap((script) => [script, `${script}.map`])
  for (const file of files) writeIn(join(root, directory), file, file.endsWith('.map') ? MAP : 'fail()')
  return outputOf(join(root, directory), files)
}

const addressesOf = async (service: string) =>
  (await intake.uploads())
    .filter((it) => it.service === service)
    .map(({ event }) => event.minified_url)
    .sort()

const release = { apiKey: 'dev-api-key', service: 'shop', version: '1', minifiedPathPrefix: '/', git: false }
const open = (lines: string[], options: SymupOptions = {}) =>
  openSession(
    { ...release, endpoint: intake.url, ...options },
    { bundler: 'vite', root, log: ({ text }) => lines.push(text) },
  )

it('delivers files collected by any kind', async () => {
  const lines: string[] = []
  const symbols = join(import.meta.dirname, '../../fixtures/symbols/flutter/app.android-arm64.symbols')
  await open(lines).deliver(({ toolVersion }) => ({
    uploads: [
      {
        event: {
          type: 'flutter_symbol_file',
          cli_version: toolVersion,
          service: 'shop',
          version: '1',
          flavor: 'release',
          platform: 'android',
          arch: 'arm64',
        },
        parts: [{ name: 'flutter_symbol_file', filename: 'a.symbols', path: symbols, bytes: statSync(symbols).size }],
      },
    ],
    problems: [],
  }))
  expect(lines.at(-1)).toMatch(/^Uploaded 1 artifact/)
  expect((await intake.uploads()).map(({ event }) => event.type)).toEqual(['flutter_symbol_file'])
})

it('calls a prefix function for each script, and sends no script with an unusable result', async () => {
  const lines: string[] = []
  const minifiedPathPrefix = (file: string) => {
    if (file === 'sw.js') return '/'
    if (file === 'later.js') throw new Error('not known yet')
    return file.startsWith('assets/') ? 'https://cdn.example.com/shop' : (undefined as unknown as string)
  }
  await open(lines, { service: 'by-file', minifiedPathPrefix, onError: 'warn' }).finish({
    outputs: [written('by-file', 'assets/a.js', 'later.js', 'other.js', 'sw.js')],
  })
  expect(await addressesOf('by-file')).toEqual(['/sw.js', 'https://cdn.example.com/shop/assets/a.js'])
  expect(lines.join('\n')).toContain('The minifiedPathPrefix function failed for this file (not known yet).')
  expect(lines.join('\n')).toContain(
    'The minifiedPathPrefix function must return a string, but returned a value of type undefined for this file.',
  )
})

it('passes the output of each script to the prefix function: its directory below the project, and the format', async () => {
  const asked: unknown[] = []
  const minifiedPathPrefix: SymupOptions['minifiedPathPrefix'] = (file, { directory, format }) => {
    asked.push([file, directory, format])
    return `/${directory}/`
  }
  const outputs = [written('two/esm', 'a.js'), written('two/sys', 'a.js')]
  const [esm] = outputs
  if (esm) esm.formats = new Map([['a.js', 'es']])
  await open([], { service: 'by-output', minifiedPathPrefix }).finish({ outputs })
  expect(await addressesOf('by-output')).toEqual(['/two/esm/a.js', '/two/sys/a.js'])
  expect(asked).toEqual([
    ['a.js', 'two/esm', 'es'],
    ['a.js', 'two/sys', undefined],
  ])
})

it.each([
  ['fail' as const, 'Error'],
  [undefined, 'Error'],
  ['warn' as const, undefined],
])('uploads and deletes nothing if two different scripts have one URL, with onError: %s', async (onError, name) => {
  const lines: string[] = []
  const verdicts: Verdict[] = []
  const outputs = ['one', 'other'].map((directory) => {
    const output = written(directory, 'a.js')
    writeFileSync(join(output.directory, 'a.js'), `${directory}()`)
    return outputOf(output.directory, output.files, { deletes: true })
  })
  const options: SymupOptions = { service: 'taken', onVerdict: (verdict) => void verdicts.push(verdict) }
  const failure = await open(lines, { ...options, ...(onError && { onError }) })
    .finish({ outputs })
    .catch((error: Error) => error)
  expect(failure instanceof Error).toBe(name !== undefined)
  expect(lines.join('\n')).toContain(
    'address-taken: other/a.js: This file and one/a.js would both be deployed as /a.js',
  )
  expect(outputs.map(({ directory }) => existsSync(join(directory, 'a.js.map')))).toEqual([true, true])
  expect(await addressesOf('taken')).toEqual([])
  expect(verdicts).toMatchObject([{ exitCode: name ? 2 : 0, problems: [{ code: 'address-taken' }] }])
})

it('uploads the same script once if two outputs give it one URL', async () => {
  const outputs = [written('same/one', 'a.js'), written('same/other', 'a.js')]
  const lines: string[] = []
  await open(lines, { service: 'same' }).finish({ outputs })
  expect(await addressesOf('same')).toEqual(['/a.js'])
  expect(lines.at(-1)).toMatch(/^Uploaded 1 artifact/)
})

it('fails the build after the upload if onVerdict throws', async () => {
  const onVerdict = async () => {
    throw new Error('not with me')
  }
  const { finish } = open([], { service: 'verdict', onVerdict })
  await expect(finish({ outputs: [written('verdict', 'a.js')] })).rejects.toThrow('not with me')
  expect(await addressesOf('verdict')).toEqual(['/a.js'])
})

it.each([
  [
    'uses the separate prefix that a framework sets for some files',
    {},
    ['/shop/sw.js', 'https://cdn.example.com/_app/a.js'],
  ],
  [
    'ignores the separate prefix from a framework if the user sets a prefix',
    { minifiedPathPrefix: '/own/' },
    ['/own/_app/a.js', '/own/sw.js'],
  ],
])('%s', async (service, options, addresses) => {
  const exceptionFor = (file: string) => (file.startsWith('_app/') ? undefined : '/shop/')
  const prefix = { value: 'https://cdn.example.com/', from: 'a test', exceptionFor }
  const { minifiedPathPrefix: _, ...unset } = release
  const session = openSession(
    { ...unset, endpoint: intake.url, service, ...options },
    { bundler: 'vite', root, log: () => undefined, prefix },
  )
  await session.finish({ outputs: [written('elsewhere', '_app/a.js', 'sw.js')] })
  expect(await addressesOf(service)).toEqual(addresses)
})

it('reports in the last line that a kind finds nothing, and passes the build', async () => {
  const lines: string[] = []
  await open(lines).deliver(({ cwd, ...release }) => collectFlutter({ ...release, cwd, path: root }))
  expect(lines.join('\n')).toContain('warning symbols-not-found')
  expect(lines.at(-1)).toBe(
    'Nothing was uploaded because no symbol files were found. The policy does not treat this result as a failure.',
  )
})

describe('a script that failed its check', () => {
  const MAPPINGS: Readonly<Record<string, string>> = { 'good.js': 'AAAA,IAAI', 'bad.js': 'AA!A' }

  /** Uploads these scripts. @returns the output. */
  async function finished(service: string, names: string[], more: SymupOptions = {}): Promise<string[]> {
    const map = { version: 3, sources: ['a.ts'], sourcesContent: ['fail()\n'], names: [] }
    for (const name of names) {
      writeIn(root, `dist/${name}`, 'fail()\n')
      writeIn(root, `dist/${name}.map`, JSON.stringify({ ...map, mappings: MAPPINGS[name] }))
    }
    const lines: string[] = []
    const files = names.flatMap((name) => [name, `${name}.map`])
    await open(lines, { service, ...more }).finish({ outputs: [outputOf(join(root, 'dist'), files)] })
    return lines
  }

  it('does not send a script that failed its check, and counts it in the last line', async () => {
    const lines = await finished('checked', ['good.js', 'bad.js'])
    expect(lines.join('\n')).toContain('map-invalid: dist/bad.js')
    expect(lines.at(-1)).toMatch(
      /^Uploaded 1 artifact, .*\. 1 other artifact could not be prepared\. The policy does not treat this result as a failure\.$/,
    )
    expect(await addressesOf('checked')).toEqual(['/good.js'])
  })

  it.each([
    ['good.js', true],
    ['bad.js', false],
  ])('needs no commit, so git is mentioned only if other scripts are built (%s): %s', async (name, isMentioned) => {
    const lines = await finished(`git-${name}`, [name], { git: true, onError: 'warn' })
    expect(lines.join('\n').includes('git-incomplete')).toBe(isMentioned)
  })
})

describe('an output directory that contains the API key', () => {
  const build = (options: SymupOptions) => {
    const dist = join(root, 'leaking')
    mkdirSync(dist, { recursive: true })
    // The key is in base64, because the watch over our own tests would find the plain key.
    const key = Buffer.from(release.apiKey).toString('base64')
    writeFileSync(join(dist, 'app.js'), `fetch("/",{headers:{k:"${key}"}})\n`)
    const map = { version: 3, sources: ['a.ts'], sourcesContent: ['fetch()\n'], names: [], mappings: 'AAAA' }
    writeFileSync(join(dist, 'app.js.map'), JSON.stringify(map))
    const lines: string[] = []
    const output = outputOf(dist, ['app.js', 'app.js.map'], { deletes: true })
    const finish = () => open(lines, options).finish({ outputs: [output] })
    return { finish, lines }
  }
  const WARNING =
    /^Uploaded 1 artifact.* However, the API key was found in leaking\/app\.js, which must not be deployed\./

  it('fails the build although every artifact was uploaded', async () => {
    await expect(build({}).finish()).rejects.toThrow(WARNING)
  })

  it("passes with onError: 'warn', and the last line reports it", async () => {
    const { finish, lines } = build({ onError: 'warn' })
    await finish()
    expect(lines.at(-1)).toMatch(WARNING)
  })

  it.each([{ allow: true }, { allow: ['leak-api-key'] }, { allow: '*.js' }, { allowLeaks: '*.js' }])(
    'passes with %j',
    async (options) => {
      const { finish, lines } = build(options)
      await finish()
      expect(lines.at(-1)).toMatch(/^Uploaded 1 artifact, [^:]*$/)
      expect(lines).toContain('Allowed: 1.')
    },
  )

  it.each([[false], ['other/*.js']])('fails with allow: %j', async (allow) => {
    await expect(build({ allow }).finish()).rejects.toThrow(WARNING)
  })
})

it('names the file in the right output if several outputs contain files with that name', async () => {
  const lines: string[] = []
  const [client, server] = [written('several/client', 'index.js'), written('several/server', 'index.js', 'map.js')]
  rmSync(join(server.directory, 'index.js.map'))
  const files = [...server.files].filter((file) => file !== 'index.js.map')
  await open(lines, { service: 'several' }).finish({ outputs: [client, outputOf(server.directory, files)] })
  expect(lines.filter((text) => text.startsWith('warning no-map'))).toMatchObject([
    expect.stringContaining('several/server/index.js'),
  ])
})
