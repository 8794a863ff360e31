import { type Case, isClean, isDamaged, isOffByColumns } from './run.ts'

/**
 * Builds held out before the check has run on any of them. Misses and false alarms in them are counted, and printed only with `--verbose`.
 * If you read the misses to improve the check, remove the build from this list. These builds are from the fifth round. The misses of the
 * four earlier rounds have been read.
 */
const HELD_OUT: readonly string[] = [
  'typescript + terser without a bundler, harbour',
  'webpack + ts-loader + esbuild, harbour',
  'rspack 1 + terser, harbour',
  'esbuild iife es2018, harbour',
  'rolldown + esbuild, harbour',
  'parcel, harbour',
  'farm, harbour',
  'vite 7 + terser, setup',
  'vite 5, setup',
]
export const isHeldOut = (build: string) => HELD_OUT.includes(build)

const isAlarm = ({ findings }: Case) => findings.length > 0

/** The tables of the corpus in Markdown. */
export function renderTable(cases: readonly Case[]): string {
  const damaged = cases.filter(isDamaged)
  const textless = cases.filter((item) => item.changed > 0 && !isDamaged(item))
  const [clean, off] = [cases.filter(isClean), cases.filter(isOffByColumns)]
  const damages = [...new Set(cases.map(({ damage }) => damage))]
  const rows = damages.map((damage) => {
    const all = cases.filter((item) => item.damage === damage)
    const harmful = all.filter(isDamaged)
    return `| ${damage ?? 'none: as built'} | ${all.length} | ${harmful.length} | ${share(harmful.filter(isAlarm).length, harmful.length)} |`
  })
  const groups = [
    ['all', () => true],
    ['seen before', (item: Case) => !isHeldOut(item.build)],
    ['held out', (item: Case) => isHeldOut(item.build)],
  ] as const
  const totals = groups.flatMap(([name, has]) => {
    if (!cases.some(has)) return []
    const [harmful, whole] = [damaged.filter(has), clean.filter(has)]
    const builds = new Set(cases.filter(has).map(({ build }) => build)).size
    const [found, alarms] = [harmful.filter(isAlarm).length, whole.filter(isAlarm).length]
    return `| ${name} | ${builds} | ${harmful.length} | ${share(found, harmful.length)} | ${whole.length} | ${share(alarms, whole.length)} |`
  })
  const offBuilds = [...new Set(off.map(({ build }) => build))].map((build) => {
    const own = off.filter((item) => item.build === build)
    return `| ${build} | ${own.length} | ${own.filter(isAlarm).length} |`
  })
  return [
    '| builds | number | damaged files | found | clean files | false alarms |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...totals,
    '',
    ...(off.length > 0 ? ['| off by columns | files | warned of |', '| --- | ---: | ---: |', ...offBuilds, ''] : []),
    `Not counted: ${textless.length} damaged files of Qwik 1. Their source maps contain no source text, and the checks report that they cannot compare it.`,
    '',
    '| damage | files | with a line that changed | found |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`
}
