import { type CheckedFile, formatBytes, type Line } from '@symup/core'
import { t } from '@symup/core/text'

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
    file.buildId && t`build id ${file.buildId}`,
    file.uuids?.length && t`uuid ${file.uuids.join(', ')}`,
    file.debugInfo === undefined
      ? undefined
      : file.debugInfo
        ? t`debug info`
        : file.symbols
          ? t`symbols only`
          : t`stripped`,
    file.mapBytes === undefined ? undefined : t`map ${formatBytes(file.mapBytes)}`,
    file.kind === 'javascript' && file.map === undefined ? t`no map` : undefined,
    file.maps === undefined ? undefined : t`${file.maps} map${file.maps === 1 ? '' : 's'}`,
    file.inflatedBytes === undefined ? undefined : t`${formatBytes(file.inflatedBytes)} decompressed`,
    file.positions === undefined ? undefined : t`${file.resolved}/${file.positions} positions`,
    file.debugId && t`debug id ${file.debugId}`,
  ]
  return facts.filter(Boolean).join(', ')
}
