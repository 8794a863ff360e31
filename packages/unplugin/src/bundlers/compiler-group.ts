/** What webpack's and Rspack's compilers have in common, as far as it matters here. */
interface GroupedCompiler {
  hooks: { done: { intercept(interceptor: { register(tap: { name: string }): never }): void } }
}

/** What one compiler leaves for the end of the build. */
type Outcome = (() => Promise<void>) | 'nothing' | 'failed'

interface Group {
  members: Set<object>
  settled: Map<object, Outcome>
}

const groups = new WeakMap<object, Group>()
/** The group whose MultiCompiler is being constructed. */
let underConstruction: Group | undefined

/**
 * Finds out, when the plugin is applied to a compiler, with which others it is built: those of one `MultiCompiler`, or none.
 *
 * A compiler does not know its MultiCompiler, but is tapped by it: the constructor taps the `done` hook of all its compilers in
 * one go, after the plugins have been applied to all of them. (Both webpack 5 and Rspack 1 and 2 name that tap `MultiCompiler`.)
 */
export function enterGroup(compiler: object): void {
  underConstruction = undefined
  groups.set(compiler, { members: new Set([compiler]), settled: new Map() })
  const { hooks } = compiler as GroupedCompiler
  hooks.done.intercept({
    register(tap) {
      if (tap.name === 'MultiCompiler') {
        underConstruction ??= { members: new Set(), settled: new Map() }
        underConstruction.members.add(compiler)
        groups.set(compiler, underConstruction)
      }
      return tap as never
    },
  })
}

/**
 * Takes what a compiler leaves to be done after the build, and does it for all of them after the last. When one has failed nothing
 * is done: such a build is not released.
 */
export async function settle(compiler: object, outcome: Outcome): Promise<void> {
  const group = groups.get(compiler)
  if (!group) return
  group.settled.set(compiler, outcome)
  if (group.settled.size < group.members.size) return
  const outcomes = [...group.settled.values()]
  group.settled.clear()
  if (outcomes.includes('failed')) return
  for (const finish of outcomes) {
    if (typeof finish === 'function') await finish()
  }
}
