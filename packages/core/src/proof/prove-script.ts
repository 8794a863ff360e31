import { withoutLiterals } from '../formats/javascript/code.ts'
import type { ByteSource } from '../formats/source-map/bytes.ts'
import { SourceMapFlaw } from '../formats/source-map/flaw.ts'
import { readLayout } from '../formats/source-map/layout.ts'
import { readSources } from '../formats/source-map/text.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { Coverage } from './coverage.ts'
import { judgeSamples } from './judge-samples.ts'
import { type Observation, observe } from './observe.ts'
import { pickSamples } from './samples.ts'
import { ScriptFile } from './script-file.ts'
import { findShortfall, isOwnSource, type Shortfall } from './shortfall.ts'

/** What became of one file's proof. */
export interface ScriptProof {
  /** Positions that were tried, without those in code that the bundler itself added. */
  positions: number
  /** Positions that lead to the original code. */
  resolved: number
  /** Sources that the map names. */
  sources: string[]
  problems: Problem[]
}

/** Nearer to the begin of its segment, a sample is hardly in another token. */
const FAR = 40
/** Bytes of a text that samples may stand in; what is behind them is in it too. */
const MAX_TEXT = 1024 * 1024
/**
 * Proves one script against its map. `file` is how the user knows it.
 * @throws the file system's error; whatever the bytes are, nothing else.
 */
export function proveScript(file: string, scriptBytes: ByteSource, mapBytes: ByteSource): ScriptProof {
  let sources: string[] = []
  try {
    const layout = unlessFlaw(readLayout(mapBytes))
    const named = unlessFlaw(readSources(mapBytes, layout))
    sources = [...new Set(named)]
    const map = { bytes: mapBytes, layout }
    const script = new ScriptFile(scriptBytes)
    const samples = pickSamples(script)
    const coverage = new Coverage(script, named.map(isOwnSource))
    const observations = withoutData(script, observe(map, samples, { also: coverage.take }))
    coverage.end()
    const judgement = judgeSamples(file, { map, script, samples, observations })
    const wrong = judgement.problems.find(({ code }) => code !== 'sources-without-content')
    const shortfall = findShortfall(file, script, coverage, named)
    // What is wrong with all of it explains its parts; only names that stand elsewhere may be a coarse map's.
    if (wrong?.code === 'map-stale' && shortfall.coarse.size > 0) {
      const problems = [...judgement.problems.filter((item) => item !== wrong), ...shortfall.problems]
      return { ...judgement, problems, sources }
    }
    if (wrong) return { ...judgement, sources }
    return { ...less(judgement, observations, shortfall), sources }
  } catch (error) {
    if (!(error instanceof SourceMapFlaw)) throw error
    const flaw = problem('map-invalid', `Its source map cannot be used: ${error.message}.`, { file })
    return { positions: 0, resolved: 0, sources, problems: [flaw] }
  }
}

/** What a file's proof comes to when some of its code is mapped badly. */
function less(
  { positions, resolved, problems }: Omit<ScriptProof, 'sources'>,
  observations: readonly Observation[],
  shortfall: Shortfall,
): Omit<ScriptProof, 'sources'> {
  const lost = observations.filter(({ source }) => shortfall.coarse.has(source)).length
  // Every source that is mapped coarsely counts, also where no sample fell on it.
  const more = shortfall.positions + (lost === 0 ? shortfall.coarse.size : 0)
  return {
    positions: positions + more,
    resolved: Math.max(0, resolved - lost),
    problems: [...problems, ...shortfall.problems],
  }
}

/** Without the samples that stand in a text: they look like code, and are data. */
function withoutData(script: ScriptFile, observations: readonly Observation[]): Observation[] {
  const code = new Map<string, string>()
  return observations.filter(({ sample: { line, column }, distance, source }) => {
    if (source === -1 || distance < FAR) return true
    const begin = column - distance
    const key = `${line}:${begin}`
    const start = script.offsetOf(line, begin)
    const offset = script.offsetOf(line, column) - start
    if (offset >= MAX_TEXT) return false
    let text = code.get(key) ?? ''
    if (text.length <= offset) {
      // With what comes, so that the next samples find it.
      text = withoutLiterals(script.latin1(start, start + Math.min(2 * offset, MAX_TEXT)))
      code.set(key, text)
    }
    return text[offset] !== ' '
  })
}

function unlessFlaw<T>(read: T | SourceMapFlaw): T {
  if (read instanceof SourceMapFlaw) throw read
  return read
}
