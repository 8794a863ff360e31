import { FRAMEWORKS, LAST, OTHER, PLATFORMS } from './command-tools.ts'
import { runsBundler } from './plugin-tool.ts'
import { MINI_PROGRAM_TOOLS, PLUGIN_TOOLS } from './plugin-tools.ts'
import type { Project } from './project.ts'
import type { Tool } from './tool.ts'
import { WEBPACK_FRAMEWORKS } from './webpack-frameworks.ts'

/** In this order: a framework before the bundler inside it. */
export const TOOLS: readonly Tool[] = [
  ...MINI_PROGRAM_TOOLS,
  ...FRAMEWORKS,
  ...WEBPACK_FRAMEWORKS,
  ...PLATFORMS,
  ...PLUGIN_TOOLS,
  ...LAST,
  OTHER,
]

/** Whose config files may be there for tests, pages about the project or a part of it, while another one builds it. */
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

/** Every tool that something in the project speaks for, the likeliest first; never empty. */
export function detectTools(project: Project): { tool: Tool; evidence: string }[] {
  const found = TOOLS.flatMap((tool) => {
    const evidence = tool.evidence(project)
    return evidence === undefined ? [] : [{ tool, evidence }]
  })
  const isBundler = ({ tool }: { tool: Tool }) => BUNDLERS.has(tool.id)
  // Those that are run before those that are not, in the places that they have among the others. Without a config, webpack may bundle the tests alone.
  const rank = ({ tool: { id }, evidence }: { tool: Tool; evidence: string }) => {
    if (!runsBundler(project, id)) return 2
    return Number(id === 'webpack' && project.read(evidence) === undefined)
  }
  const bundlers = found.filter(isBundler).sort((a, b) => rank(a) - rank(b))
  return found.map((it) => (isBundler(it) ? (bundlers.shift() ?? it) : it))
}
