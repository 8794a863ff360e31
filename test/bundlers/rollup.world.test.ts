import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import symupRolldown from '@symup/unplugin/rolldown'
import symupRollup from '@symup/unplugin/rollup'
import type { SymupOptions } from '@symup/unplugin/vite'
import * as rolldown from 'rolldown'
import * as rollup from 'rollup'
import { describe, expect, it } from 'vitest'
import { sourceArguments } from '../support/build-fixture.ts'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, WEB_APP } from './bundle.ts'
import { expectUploadedOnce, mapsIn, newService, urlsOf, WARNED } from './properties/build.ts'

const require = createRequire(import.meta.url)

const intake = useIntake()

const options = (service: string, more: SymupOptions = {}) =>
  optionsFor(intake, service, { minifiedPathPrefix: BASE, git: false, ...more })

/** Runs Node without blocking the intake in this process. @returns its standard error. */
async function runNode(args: string[], env: Record<string, string> = {}): Promise<string> {
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: WEB_APP, env: { ...process.env, ...env } }, (error, _stdout, stderr) =>
      error ? fail(new Error(stderr)) : done(stderr),
    )
  })
}

it('uploads the outputs of a Rollup config array once when run by its command', async () => {
  using directory = temporaryOutput()
  const service = newService('array')
  const config = join(directory.path, 'rollup.config.mjs')
  const given = JSON.stringify(options(service))
  const output = (file: string, format: string) =>
    `{ file: '${join(directory.path, 'out', file)}', format: '${format}' }`
  writeFileSync(
    config,
    `import symup from '@symup/unplugin/rollup'
const plugin = symup(${given})
export default [
  { input: '${source('single.js')}', plugins: [plugin], output: [${output('single.js', 'es')}, ${output('single.cjs', 'cjs')}] },
  { input: '${source('server.js')}', plugins: [plugin], output: ${output('server.js', 'es')} },
]`,
  )
  const bin = join(require.resolve('rollup/package.json'), '../dist/bin/rollup')
  await runNode([...sourceArguments(), bin, '-c', config])
  await expectUploadedOnce(intake, service, ['/shop/server.js', '/shop/single.cjs', '/shop/single.js'])
})

it.each([
  ['rollup', '', true],
  ['rolldown', '', true],
  ['rollup', 'process.exit()', false],
  // Other code that waits for the end of the process may exit during the upload.
  ['rollup', "process.on('beforeExit', () => process.exit())", false],
])('uploads when %s exits without closing the bundle %s', async (name, end, isUploaded) => {
  using directory = temporaryOutput()
  const service = newService('open')
  const script = join(WEB_APP, `${service}-${process.pid}.mjs`)
  const { apiKey, ...rest } = options(service)
  writeFileSync(
    script,
    `import { ${name} } from '${require.resolve(name).replace('dist/rollup.js', 'dist/es/rollup.js')}'
import symup from '@symup/unplugin/${name}'
const bundle = await ${name}({ input: '${source('single.js')}', plugins: [symup(${JSON.stringify(rest)})] })
await bundle.write({ dir: '${directory.path}' })
${end}`,
  )
  try {
    // If a build ends too early, it fails and leaves no map.
    const printed = await runNode([...sourceArguments(), script], { SYMUP_API_KEY: apiKey ?? '' }).catch(String)
    expect(/bundle (?:that )?was not closed/.test(printed)).toBe(!isUploaded)
    expect(printed.startsWith('Error')).toBe(!isUploaded)
    expect(filesBelow(directory.path).filter((file) => file.endsWith('.map'))).toEqual([])
  } finally {
    rmSync(script)
  }
  await expectUploadedOnce(intake, service, isUploaded ? ['/shop/single.js'] : [])
})

describe.each([
  ['rollup', symupRollup, rollup.rollup],
  ['rolldown', symupRolldown, rolldown.rolldown],
] as unknown as [string, typeof symupRollup, typeof rollup.rollup][])('a plugin instance in %s', (_, plugin, start) => {
  const entries = ['single', 'worker']
  const input = Object.fromEntries(entries.map((entry) => [entry, source(`${entry}.js`)]))

  /** Like tsdown, which builds its formats concurrently with one plugin instance. */
  const buildFormats = (dir: string, shared: unknown, sourcemap?: 'hidden') =>
    Promise.all(
      [
        ['es', '[name].mjs'],
        ['cjs', '[name].cjs'],
      ].map(async ([format, entryFileNames]) => {
        const bundle = await start({ input, plugins: [shared as rollup.Plugin] })
        const output = { dir, format: format as 'es', entryFileNames: entryFileNames as string }
        await bundle.write({ ...output, ...(sourcemap && { sourcemap }) })
        await bundle.close()
      }),
    )

  it('uploads the files of two simultaneous builds', async () => {
    using directory = temporaryOutput()
    const service = newService('formats')
    const output = await logged(() => buildFormats(directory.path, plugin(options(service))))
    const names = ['single.cjs', 'single.mjs', 'worker.cjs', 'worker.mjs']
    expect(await urlsOf(intake, service)).toEqual(names.map((it) => BASE + it))
    expect(mapsIn(directory.path)).toEqual([])
    expect(output).not.toMatch(WARNED)
  })

  it("keeps the user's own maps in two simultaneous builds", async () => {
    using directory = temporaryOutput()
    await logged(() => buildFormats(directory.path, plugin(options(newService('formats'))), 'hidden'))
    expect(mapsIn(directory.path)).toHaveLength(4)
  })

  const OUTPUTS = [
    { name: 'esm', format: 'es' },
    { name: 'cjs', format: 'cjs' },
  ] as const

  it('calls the prefix function with each output, so that two scripts with one name have two URLs', async () => {
    using directory = temporaryOutput()
    const service = newService('outputs')
    const asked: unknown[] = []
    const minifiedPathPrefix: SymupOptions['minifiedPathPrefix'] = (file, { directory, format }) => {
      asked.push([file, format])
      return `/${directory.split('/').at(-1)}/`
    }
    await logged(async () => {
      const plugins = [plugin(options(service, { minifiedPathPrefix })) as rollup.Plugin]
      const bundle = await start({ input: source('single.js'), plugins })
      for (const { name, format } of OUTPUTS) await bundle.write({ dir: join(directory.path, name), format })
      await bundle.close()
    })
    await expectUploadedOnce(intake, service, ['/cjs/single.js', '/esm/single.js'])
    expect(asked).toEqual(OUTPUTS.map(({ format }) => ['single.js', format]))
    expect(mapsIn(directory.path)).toEqual([])
  })

  it('refuses to run in output.plugins, before any file is written', async () => {
    using directory = temporaryOutput()
    const bundle = await start({ input: source('single.js') })
    const plugins = [plugin(options(newService('misplaced'))) as rollup.OutputPlugin]
    const write = async () => void (await bundle.write({ dir: directory.path, plugins }))
    await logged(() => expect(write()).rejects.toThrow('The symup plugin does not work in output.plugins'))
    expect(filesBelow(directory.path)).toEqual([])
  })
})
