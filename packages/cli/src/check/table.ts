import { type CheckedFile, formatBytes, type Line } from '@symup/core'

/** One row a file: kind, size, path and the facts of its kind. */
export function renderCheckedFiles(files: readonly CheckedFile[]): Line[] {
  const kinds = Math.max(...files.map(({ kind }) => kind.length))
  const paths = Math.min(60, Math.max(...files.map(({ path }) => path.length)))
  return files.map((file) => {
    const row = `  ${file.kind.padEnd(kinds)}  ${formatBytes(file.bytes).padStart(9)}  ${file.path.padEnd(paths)}  ${factsOf(file)}`
    return { severity: isUnproven(file) ? 'warning' : 'info', text: row.trimEnd() }
  })
}

function isUnproven({ positions, resolved }: CheckedFile): boolean {
  return positions !== undefined && resolved !== positions
}

function factsOf(file: CheckedFile): string {
  const facts = [
    file.arch,
    file.buildId && `build id ${file.buildId}`,
    file.uuids?.length && `uuid ${file.uuids.join(', ')}`,
    file.debugInfo === undefined ? undefined : file.debugInfo ? 'debug info' : 'stripped',
    file.mapBytes === undefined ? undefined : `map ${formatBytes(file.mapBytes)}`,
    file.kind === 'javascript' && file.map === undefined ? 'no map' : undefined,
    file.positions === undefined ? undefined : `${file.resolved}/${file.positions} positions`,
    file.debugId && `debug id ${file.debugId}`,
  ]
  return facts.filter(Boolean).join(', ')
}
