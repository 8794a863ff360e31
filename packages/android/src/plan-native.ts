import { existsSync, readdirSync } from 'node:fs'
import { type Collected, collectNdkLibraries } from '@symup/core'
import type { BuildFacts } from './plan-mapping.ts'
import type { NdkRequest } from './request.ts'

export function planNativeLibraries(request: NdkRequest, facts: BuildFacts, allowedRoot?: string): Promise<Collected> {
  const built = request.nativeBuilds.flatMap((candidates) => candidates.find(holdsLibraries) ?? candidates.slice(-1))
  const paths = [...built, ...request.directories]
  return collectNdkLibraries({ ...facts, paths, cwd: request.directory, allowedRoot })
}

function holdsLibraries(directory: string): boolean {
  return (
    existsSync(directory) && readdirSync(directory, { recursive: true }).some((file) => String(file).endsWith('.so'))
  )
}
