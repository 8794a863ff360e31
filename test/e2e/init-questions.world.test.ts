import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { symupArguments } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { needs } from '../support/tool.ts'
import { manifest } from './init-to-upload.ts'

const SCRIPT = '/usr/bin/script'
const script = needs('script command', existsSync(SCRIPT), 'Debian: bsdutils')
const [ENTER, DOWN, BACKSPACE, CONTROL_C] = ['\r', '\u001b[B', '\u007f', '\u0003']
const CONFIG = 'export default { plugins: [] }\n'

const cwd = useDirectory('each')
beforeEach(() => {
  writeFileSync(join(cwd, 'package.json'), manifest('vite build', 'vite'))
  writeFileSync(join(cwd, 'vite.config.js'), CONFIG)
})

type Answer = readonly [question: string, keys: string]

/** `symup init` on a pseudo-terminal. It types each answer when its question appears. */
function conversation(
  args: string[],
  answers: readonly Answer[],
): Promise<{ exitCode: number | null; output: string }> {
  const command = [process.execPath, ...symupArguments(['init', ...args])].map((word) => `'${word}'`).join(' ')
  const env = { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm-256color', NO_COLOR: '1' }
  return new Promise((done, fail) => {
    const child = spawn(SCRIPT, ['-qec', `stty cols 100 rows 40; ${command}`, '/dev/null'], { cwd, env })
    const waiting = [...answers]
    let output = ''
    let seen = 0
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += stripVTControlCharacters(text)
      const [next] = waiting
      const at = next ? output.indexOf(next[0], seen) : -1
      if (next === undefined || at === -1) return
      seen = at + next[0].length
      waiting.shift()
      child.stdin.write(next[1])
    })
    child.once('error', fail)
    child.once('close', (exitCode) => {
      if (waiting.length === 0) done({ exitCode, output })
      else fail(new Error(`It never asked "${waiting[0]?.[0]}":\n${output}`))
    })
  })
}

const config = () => JSON.parse(readFileSync(join(cwd, 'symup.json'), 'utf8'))

const TOOL = 'Which build tool does the project use?'
const SERVICE = 'Service name, exactly as the running app reports it'
const WRITE = 'Write these changes?'
const INSTALL = 'Install now?'
const NO = `${DOWN}${ENTER}`

describe.skipIf(!script.isThere)(`symup init on a terminal${script.reason}`, () => {
  it('asks questions, shows the changes first, and writes them', async () => {
    const answers: Answer[] = [
      [TOOL, ENTER],
      [SERVICE, `${BACKSPACE.repeat('new-shop'.length)}shop${ENTER}`],
      [WRITE, ENTER],
      [INSTALL, NO],
    ]
    const { exitCode, output } = await conversation([], answers)
    expect(exitCode).toBe(0)
    expect(output.indexOf('+export default { plugins: [symup()] }')).toBeLessThan(output.indexOf(WRITE))
    expect(output.indexOf('+export default { plugins: [symup()] }')).toBeGreaterThan(0)
    expect(config()).toMatchObject({ service: 'shop', version: 'auto' })
    expect(readFileSync(join(cwd, 'vite.config.js'), 'utf8')).toContain('plugins: [symup()]')
    expect(output).toContain('npm install --save-dev @symup/unplugin')
  })

  it('accepts a less likely tool selected with an arrow key, and asks where its output is deployed', async () => {
    const answers: Answer[] = [
      [TOOL, `${DOWN}${ENTER}`],
      [SERVICE, ENTER],
      ['URL or path where the output is deployed', `${BACKSPACE}cdn${ENTER}`],
      ['Enter a URL such as https://cdn.example.com/app, a path such as /app', `${BACKSPACE.repeat(3)}/app${ENTER}`],
      [WRITE, ENTER],
      [INSTALL, NO],
    ]
    const { exitCode } = await conversation([], answers)
    expect([exitCode, config().minifiedPathPrefix]).toEqual([0, '/app'])
  })

  it('asks no question that a flag answers', async () => {
    const { exitCode, output } = await conversation(
      ['--tool', 'vite', '--service', 'till'],
      [
        [WRITE, ENTER],
        [INSTALL, NO],
      ],
    )
    expect([exitCode, config().service]).toEqual([0, 'till'])
    expect(output).not.toContain(TOOL)
    expect(output).not.toContain(SERVICE)
  })

  it('asks no questions with --yes', async () => {
    const { exitCode, output } = await conversation(['--yes'], [])
    expect([exitCode, config().service]).toEqual([0, 'new-shop'])
    expect(output).not.toContain(WRITE)
  })

  it.each<[string, Answer[]]>([
    [
      'no',
      [
        [TOOL, ENTER],
        [SERVICE, ENTER],
        [WRITE, NO],
      ],
    ],
    [
      'Control-C at the last question',
      [
        [TOOL, ENTER],
        [SERVICE, ENTER],
        [WRITE, CONTROL_C],
      ],
    ],
  ])('writes nothing after %s', async (_, answers) => {
    const { exitCode, output } = await conversation([], answers)
    expect(exitCode).toBe(1)
    expect(output).toContain('Nothing was written.')
    expect(readdirSync(cwd).sort()).toEqual(['package.json', 'vite.config.js'])
    expect(readFileSync(join(cwd, 'vite.config.js'), 'utf8')).toBe(CONFIG)
  })
})
