import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { symup } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

// `symup mini-program` as a user runs it, with a real intake.

const place = useDirectory()
const intake = useIntake()
beforeAll(async () => {
  mkdirSync(join(place, 'src'))
  writeFileSync(
    join(place, 'src/cart.ts'),
    'export function checkout(price: number) {\n  throw new Error(String(price))\n}\ncheckout(3)\n',
  )
  for (const page of ['pages/index', 'packageA/cart']) {
    const outfile = join(place, `dist/${page}.js`)
    await build({
      entryPoints: [join(place, 'src/cart.ts')],
      outfile,
      bundle: true,
      minify: true,
      sourcemap: true,
      absWorkingDir: place,
    })
  }
  const app = { pages: ['pages/index'], subPackages: [{ root: 'packageA', pages: ['cart'] }] }
  writeFileSync(join(place, 'dist/app.json'), JSON.stringify(app))
})

const run = (args: string[], input = '') =>
  symup(['mini-program', ...args], {
    cwd: place,
    env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url },
    input,
  })
const RELEASE = ['--service', 'shop', '--release-version', '1', '--appid', 'wx1']

describe('symup mini-program pack', () => {
  it('creates the archive and lists its content', async () => {
    const { exitCode, stdout } = await run(['pack', 'dist', '-o', 'out.zip'])
    expect(stdout).toMatch(
      /main package \(1 map\)[\s\S]*packageA \(1 map\)[\s\S]*Packed 2 source maps \(.*\) into out\.zip/,
    )
    expect(exitCode).toBe(0)
    const { stdout: json } = await run(['pack', 'dist', '-o', 'again.zip', '--json'])
    expect(JSON.parse(json).maps.map(({ entry, subPackage }: Record<string, string>) => [entry, subPackage])).toEqual([
      ['__FULL__/pages/index.js.map', ''],
      ['packageA/cart.js.map', 'packageA'],
    ])
    expect(readFileSync(join(place, 'again.zip')).equals(readFileSync(join(place, 'out.zip')))).toBe(true)
  })

  it('reports missing files, also with the exit code', async () => {
    expect((await run(['pack', 'nowhere'])).exitCode).toBe(2)
    const nothing = await run(['pack', 'src'])
    expect(nothing.stdout).toContain('No .js.map files were found.')
    expect(nothing.exitCode).toBe(3)
  })
})

describe('symup mini-program upload', () => {
  it('sends an archive and a directory, and their stacks resolve', async () => {
    await run(['pack', 'dist', '-o', 'out.zip'])
    for (const from of ['out.zip', 'dist']) {
      const { exitCode, stdout } = await run(['upload', from, ...RELEASE])
      expect(stdout).toContain('Uploaded 1 artifact')
      expect(stdout).not.toContain('dev-api-key')
      expect(exitCode).toBe(0)
    }
    const uploads = await intake.uploads()
    // The maps in one archive are stored at once, in any order.
    expect(uploads.map(({ event, parts }) => [event.entry, event.appid, parts[0]?.name]).sort()).toEqual([
      ['__FULL__/pages/index.js.map', 'wx1', 'sourcemap_archive'],
      ['packageA/cart.js.map', 'wx1', 'sourcemap_archive'],
    ])
    const script = readFileSync(join(place, 'dist/packageA/cart.js'), 'utf8')
    const stack = `Error: 3\n    at r (https://usr/packageA/cart.js:1:${script.indexOf('Error(') + 1})`
    const explain = ['explain', '-', '--service', 'shop', '--release-version', '1', '--json']
    const asked = [
      ['--intake', intake.url, '--appid', 'wx1'],
      ['--dir', 'out.zip'],
      ['--dir', 'dist'],
    ]
    for (const where of asked) {
      const { stdout } = await symup([...explain, ...where], {
        cwd: place,
        env: { SYMUP_APP_KEY: 'dev-app-key' },
        input: stack,
      })
      expect(JSON.parse(stdout).frames[0].resolved).toMatchObject({ file: 'src/cart.ts', line: 2 })
    }
  })

  it('takes the appid from the project file in or next to the build, and reports a missing appid', async () => {
    const auto = ['--service', 'shop', '--release-version', 'a', '--appid', 'auto']
    const sent = async (from: string) => {
      const { exitCode, stdout } = await run(['upload', from, ...auto, '--json'])
      expect(exitCode).toBe(0)
      return JSON.parse(stdout).problems.map(({ code }: { code: string }) => code)
    }
    expect(await sent('dist')).toContain('inference-failed')
    writeFileSync(join(place, 'dist/project.config.json'), JSON.stringify({ appid: 'wx9' }))
    expect(await sent('dist')).not.toContain('inference-failed')
    rmSync(join(place, 'dist/project.config.json'))
    writeFileSync(join(place, 'project.config.json'), JSON.stringify({ appid: 'wx8', miniprogramRoot: 'dist/' }))
    await run(['pack', 'dist', '-o', 'out.zip'])
    expect(await sent('out.zip')).not.toContain('inference-failed')
    rmSync(join(place, 'project.config.json'))
    const uploads = await intake.uploads()
    const appids = uploads.filter(({ version }) => version === 'a').map(({ event }) => event.appid)
    expect(new Set(appids)).toEqual(new Set([undefined, 'wx9', 'wx8']))
  })
})
