import { t } from '../../text.ts'
import type { Tool } from './tool.ts'

export const tsLoader: Tool = { name: 'ts-loader' }

export function tsLoaderFix(): string {
  return t`Set "sourceMap": true in tsconfig.json. Otherwise, ts-loader does not generate source maps.`
}

export function compilerFix(): string {
  return t`Turn on source maps in the compiler. For ts-loader, set "sourceMap": true in tsconfig.json. If the file changed after the build, build again.`
}
