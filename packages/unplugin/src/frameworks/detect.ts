import { type Framework, pluginNames } from './framework.ts'
import * as table from './index.ts'

export const FRAMEWORKS: readonly Framework[] = Object.values<Framework | readonly Framework[]>(table).flat()

/** Finds the frameworks that a config uses. The result may change while plugins still modify the config. */
export function frameworksIn({ plugins, build }: { plugins?: unknown; build?: { outDir?: string } }): Framework[] {
  const traces = { plugins: pluginNames(plugins), outDir: build?.outDir ?? '' }
  return FRAMEWORKS.filter(({ detect }) => detect(traces))
}
