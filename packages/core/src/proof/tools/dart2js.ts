import type { Tool } from './tool.ts'

/** Matches the wrapper of a Flutter app. */
export const dart2js: Tool = {
  name: 'dart2js',
  marks:
    /dartProgram|TearOff\(|hunkHelpers|__dart_|dispatchPropertyName|nativeSuperclassTag|dartMainRunner|=="symbol"\)return \w+\.|\$\d\$\d\([^()]*this\.\$ti\./,
}
