import { describe, expect, it } from 'vitest'
import { judgeSamples, offsetProblem } from './judge-samples.ts'
import { mapFileOf } from './map-file.fixture.ts'
import { type Observation, observe } from './observe.ts'
import { scriptOf } from './prove.fixture.ts'
import { pickSamples, type Sample } from './samples.ts'

type Finding = Observation['finding']

/**
 * The findings for samples, one letter each: `s` same, `l` later, `d` different, `o` outside, `u` unmapped, `t` without
 * text, `p` in a polyfill (source 1). Each sample is on its own line.
 */
function judged(
  findings: string,
  { words = true, distance = 0, sources = ['x'] as (string | null)[], line = 1, isOwn = [true] } = {},
) {
  const names: Record<string, Finding> = {
    s: 'same',
    l: 'later',
    d: 'different',
    o: 'outside',
    u: 'unmapped',
    t: 'without-content',
    p: 'without-content',
  }
  const observations = [...findings].map((letter, index): Observation => {
    const sample: Sample = { kind: 'call', line: line * index, column: 10, ...(words && { word: 'total' }) }
    const finding = names[letter] as Finding
    return {
      sample,
      finding,
      isExact: letter === 's',
      distance,
      source: letter === 'u' ? -1 : letter === 'p' ? 1 : 0,
      originalLine: index,
      originalColumn: 0,
    }
  })
  const samples = observations.map(({ sample }) => sample)
  const { problems, ...rest } = judgeSamples('a.js', {
    map: mapFileOf(sources),
    script: scriptOf('x'),
    samples,
    observations,
    isOwn,
  })
  return { ...rest, problems: problems.map(({ code, message }) => `${code}: ${message}`) }
}

const problemsFor = (findings: string, options?: Parameters<typeof judged>[1]) => judged(findings, options).problems

describe('samples of a script', () => {
  it('at the places that the map gives are not a finding', () => {
    expect(judged('ssssssssuu')).toEqual({ hasText: true, positions: 8, resolved: 8, problems: [] })
    expect(judged('')).toEqual({ hasText: true, positions: 0, resolved: 0, problems: [] })
  })

  it.each<[string, string[]]>([
    ['sssdddd', []],
    ['ssssdddd', []],
    ['sssddddd', ['map-stale: 3 of 8 compared names are at the position in the map.']],
    ['sssllooo', ['map-stale: 3 of 8 compared names are at the position in the map.']],
    ['sssllldddddd', ['map-stale: 3 of 12 compared names are at the position in the map.']],
  ])('indicate another map if fewer than half of eight or more are misplaced: %s', (findings, problems) => {
    expect(problemsFor(findings)).toEqual(problems)
  })

  it('at other places do not count as resolved', () => {
    expect(judged('sssdddddut')).toMatchObject({ positions: 10, resolved: 3 })
  })

  it('prove nothing without words', () => {
    expect(judged('ssssdddd'.repeat(4), { words: false })).toMatchObject({ positions: 32, resolved: 32, problems: [] })
  })

  it('are counted if they point to nonexistent lines', () => {
    expect(judged('sssssslo')).toEqual({
      hasText: true,
      positions: 8,
      resolved: 7,
      problems: ['map-stale: 1 of 8 positions point to lines that their sources do not have.'],
    })
  })

  it.each<[string, boolean, string[]]>([
    ['sssttu', true, ['sources-without-content: The map does not contain the text of some of its sources.']],
    ['ssstttu', false, ['sources-without-content: The map does not contain the text of its sources.']],
  ])('without a text are not counted: %s', (findings, hasText, problems) => {
    expect(judged(findings)).toEqual({ hasText, positions: 3, resolved: 3, problems })
  })

  it('from polyfills prove nothing about the app, if the script has app code', () => {
    expect(judged('sspppp', { isOwn: [true, false] })).toMatchObject({ hasText: true, resolved: 2 })
    expect(judged('ttpppp', { isOwn: [true, false] })).toMatchObject({ hasText: false, resolved: 0 })
    expect(judged('pppp', { isOwn: [true, false] })).toMatchObject({ hasText: false, resolved: 0 })
  })
})

describe('samples without a source', () => {
  const incomplete = (part: number, all: number) => [
    `map-incomplete: ${part} of ${all} positions have no source in the map.`,
  ]
  it.each<[string, string, string[]]>([
    ['all of seven', 'u'.repeat(7), []],
    ['all of eight', 'u'.repeat(8), incomplete(8, 8)],
    ['half', 'su'.repeat(40), []],
    ['most, with a helper of a bundler', `ss${'u'.repeat(39)}`, []],
    ['most', `ss${'u'.repeat(40)}`, incomplete(40, 42)],
    ['most, with gaps', `s${'u'.repeat(20)}s${'u'.repeat(20)}`, incomplete(40, 42)],
  ])('%s', (_, findings, problems) => {
    expect(problemsFor(findings)).toEqual(problems)
  })

  it('are not a finding if the map names no source', () => {
    expect(problemsFor('u'.repeat(8), { sources: [] })).toEqual([])
  })

  it('are a gap if forty of them follow each other', () => {
    const [before, gap] = ['s'.repeat(50), 'u'.repeat(40)]
    expect(judged(`${before}${gap}ss`)).toEqual({
      hasText: true,
      positions: 92,
      resolved: 52,
      problems: ['map-incomplete: From line 51, column 11 on 40 positions in a row have no source in the map.'],
    })
    expect(problemsFor(`${before}${gap}`)).toHaveLength(1)
    expect(problemsFor(`${before}${gap}u`)[0]).toContain('41 positions')
    expect(problemsFor(`${before}${'u'.repeat(39)}s${'u'.repeat(10)}`)).toEqual([])
    expect(judged(`ttt${before}${gap}o`)).toMatchObject({ positions: 91, resolved: 50 })
  })
})

describe('a change in the middle', () => {
  const start = 's'.repeat(20)

  it('is reported with its start', () => {
    expect(judged(`${start}${'d'.repeat(12)}${'s'.repeat(4)}`)).toEqual({
      hasText: true,
      positions: 36,
      resolved: 24,
      problems: [
        'map-stale: Up to line 20, column 11 the code matches the map. After that, 12 of 16 names are at other positions.',
      ],
    })
    expect(problemsFor(`${'d'.repeat(12)}${'s'.repeat(20)}`)[0]).toContain('Up to line 1, column 1 the code')
  })

  it.each<[string, string, number]>([
    ['four of sixteen agree', `${'d'.repeat(12)}ssss${start}`, 1],
    ['five of sixteen agree', `${'d'.repeat(11)}sssss${start}`, 0],
    ['fifteen are left', `${start}${'d'.repeat(15)}`, 0],
    ['sixteen are left', `${start}${'d'.repeat(16)}`, 1],
    ['it begins with what is only later', `${start}${'l'.repeat(16)}`, 0],
  ])('exists if %s', (_, findings, count) => {
    expect(problemsFor(findings)).toHaveLength(count)
  })

  it('counts everything that differs', () => {
    expect(problemsFor(`${start}${'d'.repeat(10)}llllll`)[0]).toContain('After that, 16 of 16 names')
  })
})

it('positions on few mappings mean a coarse map, not another map', () => {
  // On one line, each sample's distance to its mapping equals its distance to the first sample.
  const on = (mappings: number) => {
    const observations = Array.from({ length: 16 }, (_, index): Observation => {
      const column = 100 * index
      const sample: Sample = { kind: 'call', line: 3, column, word: 'total' }
      return {
        sample,
        finding: 'different',
        isExact: false,
        distance: column - (index % mappings),
        source: 0,
        originalLine: 0,
        originalColumn: 0,
      }
    })
    const samples = observations.map(({ sample }) => sample)
    const { problems } = judgeSamples('a.js', { map: mapFileOf(['x']), script: scriptOf('x'), samples, observations })
    return problems.map(({ code, message }) => `${code}: ${message}`)
  }
  expect(on(2)).toEqual(['map-low-resolution: 16 positions share 2 mappings: each mapping covers whole lines.'])
  expect(on(3)).toEqual(['map-stale: 0 of 16 compared names are at the position in the map.'])
})

describe('an offset', () => {
  it.each<[number, number, string]>([
    [1, 0, '1 line further down than its map expects: something was prepended'],
    [3, 0, '3 lines further down than its map expects: something was prepended'],
    [-1, 0, '1 line further up than its map expects: something before it was removed'],
    [0, 1, '1 column further right than its map expects: something was prepended'],
    [0, -7, '7 columns further left than its map expects: something before it was removed'],
  ])('of %i lines and %i columns is reported', (lines, columns, text) => {
    expect(offsetProblem('a.js', { lines, columns, isFromStart: true })).toMatchObject({
      code: 'map-offset',
      file: 'a.js',
      message: `The code is ${text} after the map was generated.`,
    })
  })

  const WORDS = Array.from({ length: 30 }, (_, index) => `total${String.fromCharCode(97 + (index % 26))}${index}`)
  const source = WORDS.map((word) => `a.${word}(b)\n`).join('')

  /** The problems of a script with text added to or removed from its start or first line. */
  function problemsOf(change: (script: string) => string, isLines: boolean) {
    const lines = WORDS.map((word, line): [string, number[][]] => [
      `a.${word}(b);`,
      [
        [0, 0, line, 0],
        [2, 0, line, 2],
      ],
    ])
    let column = 0
    const joined = lines.flatMap(([text, segments]) => {
      const moved = segments.map(([at = 0, ...rest]) => [column + at, ...rest])
      column += text.length
      return moved
    })
    const map = mapFileOf([source], isLines ? lines.map(([, segments]) => segments) : [joined])
    const script = scriptOf(change(lines.map(([text]) => text).join(isLines ? '\n' : '')))
    const samples = pickSamples(script)
    const { problems, positions, resolved } = judgeSamples('a.js', {
      map,
      script,
      samples,
      observations: observe(map, samples),
    })
    return [...problems.map(({ message }) => message.replace(/ than.*/, '')), positions, resolved]
  }

  it.each<[string, (script: string) => string, boolean, unknown[]]>([
    ['nothing', (script) => script, true, [30, 30]],
    ['two lines before', (script) => `//\n//\n${script}`, true, ['The code is 2 lines further down', 30, 0]],
    ['a line taken away', (script) => script.replace(/.*\n/, ''), true, ['The code is 1 line further up', 29, 0]],
    ['nothing, in one line', (script) => script, false, [30, 30]],
    ['a character before', (script) => `;${script}`, false, ['The code is 1 column further right', 30, 0]],
    ['seven characters before', (script) => `"a";   ${script}`, false, ['The code is 7 columns further right', 30, 0]],
    [
      'a call further in, as after an edit',
      (script) => script.replace('a.totald3', 'a.paid();a.totald3'),
      false,
      ['Part of the code is 9 columns further right', 31, 0],
    ],
  ])('is found: %s', (_, change, isLines, expected) => {
    expect(problemsOf(change, isLines)).toEqual(expected)
  })
})
