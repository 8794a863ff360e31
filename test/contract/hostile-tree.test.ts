import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { symup } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { isKeyCheck } from '../support/key-check.ts'
import { useServer } from '../support/server.ts'
import { collectors, link, write } from './hostile-tree.ts'

const FORMS = {
  elf: readFileSync(join(ROOT, 'fixtures/symbols/rich/dwarf64-x86_64.so')),
  machO: readFileSync(
    join(ROOT, 'fixtures/symbols/apple/shop-arm64.dylib.dSYM/Contents/Resources/DWARF/shop-arm64.dylib'),
  ),
}

const place = useDirectory('each')
let tree: string
beforeEach(() => {
  tree = join(place, 'tree')
  mkdirSync(join(place, 'temporary'))
})

const TABLE = collectors(FORMS)

describe.each(TABLE)('$name', ({ file, content, others = {}, mayBuildOutside, collect }) => {
  const target = () => join(tree, file)
  const outside = () => join(place, 'elsewhere', file)
  const collected = (allowedRoot?: string) => {
    for (const [name, text] of Object.entries(others)) write(join(tree, name), text)
    return collect(tree, join(place, 'temporary'), allowedRoot)
  }
  const codes = ({ problems }: { problems: { code: string }[] }) => problems.map(({ code }) => code)

  it('uploads a file itself, and one behind a link inside the directory', async () => {
    write(target(), content())
    expect((await collected()).uploads).toHaveLength(1)
    renameSync(target(), `${target()}.real`)
    link(target(), `${target()}.real`)
    expect((await collected()).uploads).toHaveLength(1)
  })

  it('uploads no file behind a link to the outside unless the root is allowed, and reports it', async () => {
    write(outside(), content())
    link(target(), outside())
    const refused = await collected()
    expect(refused.uploads).toEqual([])
    expect(codes(refused)).toContain('file-outside')
    expect((await collected(place)).uploads).toHaveLength(1)
  })

  const [top = ''] = file.split('/')
  it.runIf(top !== file)(
    "uploads files behind a link to their directory only if the build reports the link's location",
    async () => {
      write(outside(), content())
      mkdirSync(tree)
      symlinkSync(join(place, 'elsewhere', top), join(tree, top))
      for (const name of Object.keys(others)) write(join(place, 'elsewhere', name), others[name] ?? '')
      const { uploads } = await collect(tree, join(place, 'temporary'))
      expect(uploads).toHaveLength(mayBuildOutside ? 1 : 0)
    },
  )

  it('does not wait for a pipe', async () => {
    mkdirSync(dirname(target()), { recursive: true })
    execFileSync('mkfifo', [target()])
    expect((await collected()).uploads).toEqual([])
  }, 10_000)
})

describe('symup web upload', () => {
  const received: string[] = []
  const server = useServer((request, response, body) => {
    if (!isKeyCheck(request)) received.push(body.toString('latin1'))
    response.end('{"request_id":"r"}')
  })

  const NAMED: [string, string][] = [
    ['a path upwards', '../secret.json'],
    ['an encoded path upwards', '%2e%2e%2fsecret.json'],
    ['an encoded slash', '..%2Fsecret.json'],
    ['a file: address', 'file://PLACE/secret.json'],
    ['an absolute path', 'PLACE/secret.json'],
    ['a link', 'h.js.map'],
    ['a link to a directory', 'up/secret.json'],
    ['a pipe', 'pipe.map'],
  ]
  it('sends no byte of outside files that scripts name, whether or not the maps are checked', async () => {
    write(join(place, 'secret.json'), '{"version":3,"sources":[],"mappings":"AAAA","password":"S3CRET"}')
    for (const [index, [, url]] of NAMED.entries())
      write(join(tree, `${index}.js`), `fail()\n//# sourceMappingURL=${url.replace('PLACE', place)}\n`)
    link(join(tree, 'h.js.map'), join(place, 'secret.json'))
    symlinkSync(place, join(tree, 'up'))
    execFileSync('mkfifo', [join(tree, 'pipe.map')])
    const upload = (...more: string[]) =>
      symup(
        ['web', 'upload', 'tree', '--service', 's', '--release-version', '1', '--minified-path-prefix', '/', ...more],
        { cwd: place, env: { SYMUP_API_KEY: 'k-of-some-length', SYMUP_ENDPOINT: server.url } },
      )
    for (const more of [['--json'], ['--json', '--no-proof']]) {
      const { exitCode, stdout } = await upload(...more)
      const { problems } = JSON.parse(stdout) as { problems: { code: string; file?: string }[] }
      const refused = problems.filter(({ code }) => code === 'file-outside').flatMap(({ file }) => file ?? [])
      expect(refused.sort()).toEqual(['tree/0.js', 'tree/1.js', 'tree/2.js', 'tree/6.js', 'tree/h.js.map'])
      expect(exitCode, stdout).toBe(3)
    }
    expect(received).toEqual([])
  }, 60_000)
})
