import type { Case } from './run.ts'

/** Held out while the proof was first made; the last changes were made with their results in view. Choose others before the figures count as held out again. */
const HELD_OUT = ['webpack + esbuild + terser, svelte', 'parcel, react', 'rsbuild, vue', 'vite 7, lit']

export const isHeldOut = (build: string) => HELD_OUT.includes(build)
const isAlarm = ({ findings }: Case) => findings.length > 0

/** The tables of the corpus in Markdown. */
export function renderTable(cases: readonly Case[]): string {
  const damaged = cases.filter(({ changed }) => changed > 0)
  const clean = cases.filter(({ damage, changed }) => damage === undefined && changed === 0)
  const damages = [...new Set(cases.map(({ damage }) => damage))]
  const rows = damages.map((damage) => {
    const all = cases.filter((item) => item.damage === damage)
    const harmful = all.filter(({ changed }) => changed > 0)
    return `| ${damage ?? 'none: as built'} | ${all.length} | ${harmful.length} | ${share(harmful.filter(isAlarm).length, harmful.length)} |`
  })
  const groups = [
    ['all', () => true],
    ['tuned on', (item: Case) => !isHeldOut(item.build)],
    ['held out', (item: Case) => isHeldOut(item.build)],
  ] as const
  const totals = groups.map(([name, has]) => {
    const [harmful, whole] = [damaged.filter(has), clean.filter(has)]
    const builds = new Set(cases.filter(has).map(({ build }) => build)).size
    const [found, alarms] = [harmful.filter(isAlarm).length, whole.filter(isAlarm).length]
    return `| ${name} | ${builds} | ${harmful.length} | ${share(found, harmful.length)} | ${whole.length} | ${share(alarms, whole.length)} |`
  })
  return [
    '| builds | number | damaged files | found | clean files | false alarms |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...totals,
    '',
    '| damage | files | with a line that changed | found |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`
}
