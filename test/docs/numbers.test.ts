import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MISSING_LIMIT } from '../../packages/core/src/model/wire.ts'
import { MAX_OF_LARGE } from '../../packages/core/src/proof/thresholds.ts'
import { WHOLE_BYTES } from '../../packages/core/src/send/body.ts'
import { ARKTS_LIMITS } from '../../packages/symbolicate/src/resolvers/arkts/explain-stack.ts'
import { DART_LIMITS } from '../../packages/symbolicate/src/resolvers/flutter/dart-stack.ts'
import { MAX_FRAMES, MAX_STACK } from '../../packages/symbolicate/src/resolvers/javascript/parse-stack.ts'
import { JVM_LIMITS } from '../../packages/symbolicate/src/resolvers/jvm-mapping/explain-stack.ts'
import { MAX_REPORT_LENGTH } from '../../packages/symbolicate/src/resolvers/native/apple-report.ts'
import { MAX_NATIVE_FRAMES } from '../../packages/symbolicate/src/resolvers/native/native-stack.ts'
import { ROOT } from '../support/build-fixture.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const shown = (number: number) => number.toLocaleString('en')
const MIB = 1024 * 1024
const FRAMES = `${MAX_FRAMES} JavaScript and ArkTS frames, ${shown(MAX_NATIVE_FRAMES)} Dart and native frames, ${shown(JVM_LIMITS.frames)} JVM frames, and ${MAX_STACK / MIB} MiB`

it.each([
  ['docs/intake.md', FRAMES],
  ['packages/symbolicate/README.md', FRAMES],
  [
    'packages/symbolicate/README.md',
    `Dart stacks can contain up to ${DART_LIMITS.characters / MIB} MiB of text, and Apple reports up to ${MAX_REPORT_LENGTH / MIB} MiB`,
  ],
  ['docs/intake.md', `\`{"sha256": […]}\`, at most ${shown(MISSING_LIMIT)}`],
  ['docs/concepts.md', `up to ${MAX_OF_LARGE} names, \`throw\` statements and calls in each of your source files`],
  ['packages/core/README.md', `An artifact of up to ${WHOLE_BYTES / MIB} MB`],
])('%s agrees with the code: %s', (page, text) => expect(read(page)).toContain(text))

it('uses one limit for numbers that are counted together', () => {
  expect(DART_LIMITS.frames).toBe(MAX_NATIVE_FRAMES)
  expect(ARKTS_LIMITS).toEqual({ frames: MAX_FRAMES, characters: MAX_STACK })
  expect(JVM_LIMITS.characters).toBe(MAX_STACK)
})

it('quotes the results of the proof corpus in CONTRIBUTING.md', () => {
  const page = read('docs/evidence/proof-corpus.md')
  const builds = /The table covers (\d+) of/.exec(page)?.[1]
  const table = page.slice(page.indexOf('| damage |')).split('\n')
  // Excludes the two heading lines and the builds that were not damaged.
  const damages = table.findIndex((line) => !line.startsWith('|')) - 3
  expect(read('CONTRIBUTING.md')).toContain(`${builds} real builds, ${damages} kinds of damage`)
})

it('tests the oldest bundler versions that the plugin requires', () => {
  const { peerDependencies } = JSON.parse(read('packages/unplugin/package.json')) as {
    peerDependencies: Record<string, string>
  }
  const [, tried = ''] =
    /The oldest versions were tested manually, each with its own command: ([^\n]+)/.exec(
      read('docs/evidence/bundlers.md'),
    ) ?? []
  const names = {
    Vite: 'vite',
    Rollup: 'rollup',
    Rolldown: 'rolldown',
    webpack: 'webpack',
    Rspack: '@rspack/core',
    esbuild: 'esbuild',
  }
  for (const [label, name] of Object.entries(names)) {
    const least = peerDependencies[name]?.replace('>=', '') ?? ''
    expect(tried, name).toContain(`${label} ${least.includes('.') ? least : `${least}.0`}`)
  }
})
