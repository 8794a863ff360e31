import { join } from 'node:path'
import { Unanswered } from '@symup/symbolicate'
import { expect, it } from 'vitest'
import { writeZip } from '../../../../test/support/crafted-zip.ts'
import { useDirectory, writeIn } from '../../../../test/support/directory.ts'
import { runSymup } from '../../../../test/support/run-symup.ts'
import { refuse } from './explain.ts'

it('reports a stack that exceeds a limit as a problem, and any other error as a bug', () => {
  const unanswered = new Unanswered('too-expensive', 'Resolving this stack took more than 30 s.')
  expect(() => refuse(unanswered)).toThrow(
    expect.objectContaining({ exitCode: 1, problems: [expect.objectContaining({ code: 'stack-too-expensive' })] }),
  )
  const bug = new Error('a bug')
  expect(() => refuse(bug)).toThrow(bug)
})

const place = useDirectory('each')
const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}'

it.each([
  ['its platform', 'at f (pages/a.js:1:1)', ['--platform', 'miniprogram']],
  ['its frames', 'at f (https://usr/pages/a.js:1:1)', []],
])('--source-maps is an archive if %s shows a mini program', async (_, frame, more) => {
  writeZip(join(place, 'a.zip'), { entries: [{ name: '__FULL__/pages/a.js.map', content: MAP }] })
  writeIn(place, 'stack.txt', `Error: x\n    ${frame}\n`)
  const { exitCode, stdout } = await runSymup(['explain', 'stack.txt', '--source-maps', 'a.zip', ...more], {
    cwd: place,
  })
  expect(stdout).toContain('→ a.ts:1:1')
  expect(exitCode).toBe(0)
})

it('problems of a mini program name files relative to the project', async () => {
  writeIn(place, 'stack.txt', 'Error: x\n    at f (https://usr/pages/a.js:1:1)\n')
  writeIn(place, 'dist/pages/a.js.map', MAP)
  for (const from of ['dist', join(place, 'dist'), '.']) {
    const { stderr } = await runSymup(['explain', 'stack.txt', '--dir', from], { cwd: place })
    expect(stderr).toContain(`warning app-json-missing: No app.json was found in ${from === '.' ? '.' : 'dist'}.`)
  }
})
