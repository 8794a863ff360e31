// Runs one adapter in its own process: `adapter.ts <name> <directory>`. deliveries.ts compares its output and exit code.
import { join } from 'node:path'
import { Readable } from 'node:stream'

const [adapter = '', directory = ''] = process.argv.slice(2)
const release = { service: 'shop', version: '1.2.3' }

const ADAPTERS: Readonly<Record<string, () => Promise<number>>> = {
  async cli() {
    const { runProgram } = await import('../../packages/cli/src/program.ts')
    return runProgram(
      [
        'web',
        'upload',
        'dist',
        '--service',
        'shop',
        '--release-version',
        '1.2.3',
        '--minified-path-prefix',
        '/',
        '--disable-git',
      ],
      '0.0.0',
    )
  },

  async unplugin() {
    const { openSession } = await import('../../packages/unplugin/src/session.ts')
    const { outputOf } = await import('../../packages/unplugin/src/output.ts')
    const session = openSession(
      { ...release, minifiedPathPrefix: '/', onError: 'fail', git: false },
      { bundler: 'vite', root: directory, log: ({ text }) => console.log(`[symup] ${text}`) },
    )
    await session.finish({ outputs: [outputOf(join(directory, 'dist'), ['app.js', 'app.js.map'])] })
    return 0
  },

  async 'mini-program'() {
    const { openBuild } = await import('../../packages/mini-program/src/build.ts')
    const build = openBuild({ ...release, onError: 'fail' }, { framework: 'taro', root: directory })
    await build?.finish(join(directory, 'mini'))
    return 0
  },

  async android() {
    const { answerRequest } = await import('../../packages/android/src/run.ts')
    const request = {
      task: 'upload-mapping',
      variant: 'release',
      directory,
      settings: release,
      build: { versionCode: 1 },
      usualMappingFiles: [join(directory, 'mapping.txt')],
      temporaryDirectory: join(directory, 'temporary'),
    }
    const print = ({ severity, text }: { severity: string; text: string }) => console.log(`${severity}\t${text}`)
    return answerRequest(Readable.from([JSON.stringify(request)]), print)
  },

  // hvigor reads its request from standard input.
  async hvigor() {
    await import('../../packages/hvigor/src/uploader.ts')
    return new Promise((done) => process.once('beforeExit', () => done(Number(process.exitCode ?? 0))))
  },
}

try {
  process.exitCode = await ADAPTERS[adapter]?.()
} catch (error) {
  // A bundler does this when the build fails.
  console.error(String(error))
  process.exitCode = 1
}
