/** One instruction of a Dockerfile with continued lines joined: `RUN` and its arguments. */
export interface Step {
  instruction: string
  text: string
}

/** The stages in order, each starting at its `FROM`. */
export function stagesOf(dockerfile: string): Step[][] {
  const stages: Step[][] = []
  const lines = dockerfile
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  for (const line of lines) {
    const [, instruction = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (instruction === '') throw new Error(`not an instruction: ${line}`)
    if (instruction === 'FROM') stages.push([])
    stages.at(-1)?.push({ instruction, text })
  }
  return stages
}

/** The command in exec form, without a shell: `["node", "a.js"]`. */
export function execForm(text: string): string[] {
  return JSON.parse(text) as string[]
}

/** Whether a `.dockerignore` of names, paths and `**` excludes a path from the build. */
export function isIgnored(dockerignore: string, path: string): boolean {
  return dockerignore.split('\n').some((pattern) => {
    if (pattern === '') return false
    const name = pattern.replace(/^\*\*\//, '')
    return pattern === name ? path === name || path.startsWith(`${name}/`) : path.split('/').includes(name)
  })
}
