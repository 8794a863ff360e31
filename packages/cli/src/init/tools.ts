import { FRAMEWORKS, LAST, OTHER, PLATFORMS } from './command-tools.ts'
import { PLUGIN_TOOLS } from './plugin-tools.ts'
import type { Project } from './project.ts'
import type { Tool } from './tool.ts'

const isMiniProgram = ({ id }: Tool) => id === 'taro' || id === 'uni-app'

/** In this order: a framework before the bundler inside it. */
export const TOOLS: readonly Tool[] = [
  ...PLUGIN_TOOLS.filter(isMiniProgram),
  ...FRAMEWORKS,
  ...PLATFORMS,
  ...PLUGIN_TOOLS.filter((tool) => !isMiniProgram(tool)),
  ...LAST,
  OTHER,
]

/** Every tool that something in the project speaks for, the likeliest first; never empty. */
export function detectTools(project: Project): { tool: Tool; evidence: string }[] {
  return TOOLS.flatMap((tool) => {
    const evidence = tool.evidence(project)
    return evidence === undefined ? [] : [{ tool, evidence }]
  })
}
