import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
import { useIntake } from '../support/intake.ts'
import { makeProject, outputOf, type Project } from './project.ts'
import { runIn } from './terminals.ts'
import { INSTALLED, type Tool, vite } from './tools.ts'

const intake = useIntake()
beforeAll(() => Promise.all([buildPackages(), install(INSTALLED)]), 300_000)

async function build(tool: Tool, change: (project: Project) => void = () => undefined) {
  const project = makeProject(tool)
  try {
    change(project)
    const env = { SYMUP_ENDPOINT: intake.url, SYMUP_API_KEY: 'dev-api-key' }
    const ended = await runIn('no terminal', project.command, project.directory, env)
    return { ...ended, files: outputOf(project.directory) }
  } finally {
    await project.remove()
  }
}

const COMMON_JS = `const symup = require('@symup/unplugin/vite')
module.exports = { base: '/shop/', plugins: [symup({ service: 'shop', version: '1.2.3' })] }
`

/** `package.json` without a type, like most apps of that time: Vite 5 loads their config through `require`. */
const withoutType = (project: Project) =>
  writeFileSync(join(project.directory, 'package.json'), '{ "name": "shop", "private": true, "version": "1.2.3" }\n')

it.each([
  ['a config with import in a package without a type', withoutType],
  [
    'a CommonJS config',
    (project: Project) => {
      rmSync(join(project.directory, 'vite.config.js'))
      writeFileSync(join(project.directory, 'vite.config.cjs'), COMMON_JS)
    },
  ],
  [
    'a CommonJS config in a package without a type',
    (project: Project) => {
      withoutType(project)
      writeFileSync(join(project.directory, 'vite.config.js'), COMMON_JS)
    },
  ],
])(
  'Vite 5 takes the plugin from %s',
  async (_, change) => {
    const { exitCode, output } = await build(vite(5), change)
    expect(output).toContain('Uploaded 2 artifacts')
    expect(output).not.toContain('ESM file')
    expect(exitCode).toBe(0)
  },
  120_000,
)
