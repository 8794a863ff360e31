/** The plugins of a config as its user gave them: nested, with gaps. What is still awaited is left out. */
export function pluginsIn(plugins: unknown): { name?: unknown }[] {
  return [plugins].flat(Number.POSITIVE_INFINITY).filter((plugin) => typeof plugin === 'object' && plugin !== null)
}
