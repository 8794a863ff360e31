import { t } from '@symup/core/text'
import { withValue } from './edit-json.ts'
import type { Project } from './project.ts'
import { type Change, changeOf, isNodeProgram, type Setup } from './tool.ts'

/** The upload command. Developers can build without an API key, but a missing key in CI is treated as an error. */
const command = (directory: string) => `symup web upload ${directory} --delete-after-upload --skip-without-key`

/** Appends an upload to the build script with `&&`, because some package managers do not run `postbuild` scripts. */
function afterBuild(project: Project, directory: string): Change[] {
  const text = project.read('package.json') ?? ''
  const build = project.manifest.scripts?.build
  if (build === undefined || build.includes('symup ')) return []
  const after = withValue(text, ['scripts', 'build'], `${build} && ${command(directory)}`)
  return changeOf('package.json', text, after)
}

export function uploading(project: Project, directory: string, setup: Partial<Setup> = {}): Setup {
  const { changes = [], ...rest } = setup
  const script = afterBuild(project, directory)
  const byHand = t`Run this command after the build:\n\nnpx ${command(directory)}`
  const isThere = project.manifest.scripts?.build?.includes('symup ')
  return {
    packages: ['symup'],
    ...(script.length === 0 && !isThere && { byHand }),
    ...rest,
    changes: [...changes, ...script],
  }
}

/** Appends an upload command for `dist`, which is only a guess at the output directory. */
export function uploadingGuessed(project: Project, ...notes: string[]): Setup {
  return uploading(project, 'dist', {
    minifiedPathPrefix: isNodeProgram(project) ? 'app:///' : '/',
    notes: [...notes, t`Turn on source maps. If the build does not write to dist, pass its output directory.`],
  })
}
