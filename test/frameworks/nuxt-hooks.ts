export type Action = (...given: unknown[]) => unknown

/** Hooks like Nuxt's and Nitro's: actions are called in order. */
export function hooks() {
  const actions: [string, Action][] = []
  return {
    hook: (name: string, action: Action) => void actions.push([name, action]),
    async call(name: string, ...given: unknown[]) {
      for (const [own, action] of actions) if (own === name) await action(...given)
    },
  }
}
