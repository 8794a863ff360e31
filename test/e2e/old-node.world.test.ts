import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT, sourceArguments } from '../support/build-fixture.ts'
import { installNode, NODE_18 } from '../support/old-node.ts'

it('reports only the version requirement to an old Node in the companion that Gradle runs', async () => {
  const request = {
    task: 'upload-mapping',
    variant: 'release',
    directory: tmpdir(),
    settings: { apiKey: null, endpoint: null, site: null, service: null, version: null },
    build: { applicationId: 'com.example.shop', versionName: '1.4.2', versionCode: 42 },
    buildId: null,
    mappingFile: null,
    usualMappingFiles: [],
    packageAliases: {},
    temporaryDirectory: join(tmpdir(), 'symup-old-node'),
  }
  const args = [...sourceArguments(), join(ROOT, 'packages/android/src/companion.ts')]
  const lines = await new Promise<string[]>((done) => {
    const options = { env: { PATH: process.env.PATH } }
    const child = execFile(installNode(NODE_18), args, options, (error, stdout) =>
      done([...stdout.trimEnd().split('\n'), `exit ${error?.code ?? 0}`]),
    )
    child.stdin?.end(JSON.stringify(request))
  })
  expect(lines).toEqual([
    `error\tNode ${NODE_18} is too old: symup needs 20.19 or later.`,
    "error\t  fix: install a newer version, or set its path: symup { nodeExecutable = '/path/to/node' }.",
    'exit 2',
  ])
}, 60_000)
