import { FRAMEWORKS, LAST, OTHER, PLATFORMS } from './command-tools.ts'
import { runsBundler } from './plugin-tool.ts'
import { MINI_PROGRAM_TOOLS, PLUGIN_TOOLS } from './plugin-tools.ts'
import type { Project } from './project.ts'
import type { Tool } from './tool.ts'
import { WEBPACK_FRAMEWORKS } from './webpack-frameworks.ts'

/** Frameworks must precede the bundlers that they use. */
export const TOOLS: readonly Tool[] = [
  ...MINI_PROGRAM_TOOLS,
  ...FRAMEWORKS,
  ...WEBPACK_FRAMEWORKS,
  ...PLATFORMS,
  ...PLUGIN_TOOLS,
  ...LAST,
  OTHER,
]

/** Bundlers whose config files may be only for tests, documentation or a part of the project. */
const BUNDLERS = new Set([
  'vite',
  'rsbuild',
  'rspack',
  'farm',
  'parcel',
  'webpack',
  'rolldown',
  'rollup',
  'bun',
  'esbuild',
  'vitepress',
])

/** Returns the detected tools, most likely first. The list is never empty. */
export function detectTools(project: Project): { tool: Tool; evidence: string }[] {
  const found = TOOLS.flatMap((tool) => {
    const evidence = tool.evidence(project)
    return evidence === undefined ? [] : [{ tool, evidence }]
  })
  const isBundler = ({ tool }: { tool: Tool }) => BUNDLERS.has(tool.id)
  // Prefer bundlers that a script runs. Webpack without a config ranks lower, because it may only bundle the tests.
  const rank = ({ tool: { id }, evidence }: { tool: Tool; evidence: string }) => {
    if (!runsBundler(project, id)) return 2
    return Number(id === 'webpack' && project.read(evidence) === undefined)
  }
  const bundlers = found.filter(isBundler).sort((a, b) => rank(a) - rank(b))
  return found.map((it) => (isBundler(it) ? (bundlers.shift() ?? it) : it))
}
