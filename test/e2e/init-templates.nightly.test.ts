import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, it } from 'vitest'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { type Edited, setUp } from './init-to-upload.ts'

/** The packages' own templates, created by `npm create`. None is installed, because init and doctor only read files. */
const CREATED: Readonly<Record<string, readonly [command: string, ...edited: Edited[]]>> = {
  'Vite, React': [
    'create-vite@9 app --template react-ts --no-interactive',
    ['vite.config.ts', 'plugins: [react(), symup()]'],
  ],
  'Next.js': [
    'create-next-app@16 app --ts --no-eslint --no-tailwind --app --no-src-dir --import-alias @/* --skip-install --disable-git --yes',
    ['next.config.ts', 'import withSymup from "@symup/unplugin/next"'],
    ['next.config.ts', 'export default withSymup(nextConfig)'],
  ],
  SvelteKit: [
    'sv create app --template minimal --types ts --no-add-ons --no-install',
    ['vite.config.ts', '\t\t}),\n\t\tsymup()\n\t]'],
  ],
  'Rspack, React': ['create-rspack -d app -t react-ts', ['rspack.config.ts', '(),\n    symup(),\n  ],']],
  'Farm, React': ['create-farm app --template react', ['farm.config.ts', "['@farmfe/plugin-react', symup()]"]],
  'electron-vite, React': [
    '@quick-start/create-electron app --template react-ts --skip',
    ['electron.vite.config.ts', 'plugins: [react(), symup()]'],
  ],
  Angular: [
    '@angular/cli@20 new app --defaults --skip-install --skip-git',
    ['angular.json', '"builder": "@symup/angular:application"'],
  ],
}

const intake = useIntake()
const place = useDirectory()

describe('init, then doctor, in what npm create makes:', () => {
  it.each(Object.keys(CREATED))('%s', { timeout: 240_000 }, async (name) => {
    const [command, ...edited] = CREATED[name] as [string, ...Edited[]]
    const at = mkdtempSync(join(place, 'created-'))
    const { PATH, HOME } = process.env
    // Creators ask on a terminal; without one, they decide themselves.
    const creating = promisify(execFile)('npx', ['--yes', ...command.split(' ')], {
      cwd: at,
      env: { PATH, HOME, CI: '1' },
    })
    creating.child.stdin?.end()
    await creating
    await setUp(join(at, 'app'), intake.url, edited)
  })
})
