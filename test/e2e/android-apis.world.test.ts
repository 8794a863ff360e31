import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startIntake } from '@symup/intake'
import { describe, expect, it } from 'vitest'
import { androidTools, GRADLE_CLASSES, prepareStandIn, SYMUP_GRADLE } from '../support/android-build.ts'
import { ROOT } from '../support/build-fixture.ts'

const tools = androidTools()

it.skipIf(!tools.isThere)(
  `supports newer APIs of the Android plugin, on stand-ins${tools.reason}`,
  async () => {
    const intake = await startIntake()
    const standIn = prepareStandIn()
    try {
      const env = { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url }
      const upload = ['FreeRelease', 'Release'].flatMap((variant, index) =>
        ['uploadMapping', 'uploadNdkSymbolFiles'].map((task) => `:${['modern', 'middle'][index]}:${task}${variant}`),
      )
      const { output } = await standIn.gradle([...upload, ':modern:uploadMappingFreeDebug'], env)
      const order = [...output.matchAll(/^:(\w+:\w+)/gm)].map(([, task]) => task)
      for (const [first, then] of [
        ['modern:minifyFreeReleaseWithR8', 'modern:uploadMappingFreeRelease'],
        ['modern:externalNativeBuildFreeRelease', 'modern:uploadNdkSymbolFilesFreeRelease'],
        ['modern:assembleFreeDebug', 'modern:uploadMappingFreeDebug'],
        ['middle:minifyReleaseWithR8', 'middle:uploadMappingRelease'],
        ['middle:externalNativeBuildRelease', 'middle:uploadNdkSymbolFilesRelease'],
      ] as const) {
        expect(order, output).toContain(first)
        expect(order.indexOf(first)).toBeLessThan(order.indexOf(then))
      }
      // The debug variant has no mapping file. Its block contains the path that another obfuscator writes to.
      expect(output).toContain("Execution failed for task ':modern:uploadMappingFreeDebug'")
      expect(output).toMatch(/> symup: error file-unreadable: .*other\/mapping\.txt/)

      const modern = { service: 'com.example.modern', version: '1.0', version_code: 7, variant: 'freeRelease' }
      const middle = { service: 'com.example.middle', version: '3.0-lazy', version_code: 30, variant: 'release' }
      const uploads = await intake.uploads()
      for (const build of [modern, middle]) {
        for (const type of ['jvm_mapping_file', 'ndk_symbol_file']) {
          const found = uploads.filter(({ event }) => event.type === type && event.service === build.service)
          expect(found.map(({ event }) => event)).toMatchObject([build])
        }
      }
      const reduced = uploads.find(({ event }) => event.type === 'jvm_mapping_file' && event.variant === 'release')
      expect(String(await reduced?.parts[0]?.read())).toContain('ce.shop.Cart -> a.a:\n1:1:int total():7:7 -> a\n')
    } finally {
      await intake.close()
      standIn.remove()
    }
  },
  120_000,
)

/** npm packages that contain the Groovy of newer Gradle versions: 3 for Gradle 7 and 8, 4 for 9. */
const GROOVY = [
  { name: '@trapezedev/gradle-parse', version: '7.1.10', jars: 'lib/*' },
  { name: 'npm-groovy-lint', version: '16.2.0', jars: 'lib/java/groovy/lib/*' },
]
const IMPORTS = ['org.gradle.api', 'org.gradle.api.file', 'org.gradle.api.provider', 'org.gradle.api.tasks']

describe.skipIf(!tools.isThere)(`symup.gradle${tools.reason}`, () => {
  it.each(GROOVY)(
    'compiles with the Groovy from $name $version',
    ({ name, version, jars }) => {
      const directory = fetchPackage(name, version)
      const work = mkdtempSync(join(tmpdir(), 'symup-groovy-'))
      writeFileSync(
        join(work, 'compile.groovy'),
        `def imports = new org.codehaus.groovy.control.customizers.ImportCustomizer().addStarImports(${IMPORTS.map((at) => `'${at}'`)})
       def configuration = new org.codehaus.groovy.control.CompilerConfiguration()
       configuration.addCompilationCustomizers(imports)
       new GroovyShell(configuration).parse(new File(args[0]))
       println "compiled by Groovy \${GroovySystem.version}"`,
      )
      const classPath = [join(directory, jars), ...GRADLE_CLASSES].join(':')
      const args = ['-cp', classPath, 'groovy.ui.GroovyMain', join(work, 'compile.groovy'), SYMUP_GRADLE]
      const output = execFileSync('java', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      expect(output).toMatch(/^compiled by Groovy [34]\./)
      rmSync(work, { recursive: true })
    },
    60_000,
  )
})

/** Unpacks an npm package next to the workspace's own packages, once. */
function fetchPackage(name: string, version: string): string {
  const directory = join(ROOT, 'node_modules/.cache/symup', `${name.replace('/', '-')}-${version}`)
  if (!existsSync(join(directory, 'package.json'))) {
    mkdirSync(directory, { recursive: true })
    execFileSync('npm', ['pack', `${name}@${version}`, '--pack-destination', directory], { stdio: 'pipe' })
    execFileSync('sh', ['-c', 'tar xzf *.tgz --strip-components=1 && rm *.tgz'], { cwd: directory })
  }
  return directory
}
