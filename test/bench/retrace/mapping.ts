import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/** A generated mapping, and frames that it resolves. */
export interface GeneratedMapping {
  bytes: number
  classes: number
  /** Obfuscated frames, spread over the whole file. */
  frames: string[]
}

const MEMBERS = 14
const WORDS = [
  'account',
  'basket',
  'checkout',
  'delivery',
  'event',
  'feature',
  'gallery',
  'history',
  'invoice',
  'journal',
]

/** Writes a mapping like R8 does for a large app. The same size results in the same bytes. */
export async function writeMapping(path: string, bytes: number): Promise<GeneratedMapping> {
  const out = createWriteStream(path)
  const frames: string[] = []
  let written = 0
  let classes = 0
  const write = async (text: string) => {
    written += text.length
    if (!out.write(text)) await once(out, 'drain')
  }
  await write('# compiler: R8\n# compiler_version: 8.5.35\n# pg_map_id: 0badcafe\n')
  await write('# {"id":"com.android.tools.r8.mapping","version":"2.2"}\n')
  while (written < bytes) {
    await write(classBlock(classes))
    if (classes % 97 === 0) frames.push(`\tat ${obfuscated(classes)}.a(SourceFile:${(classes % MEMBERS) + 1})`)
    classes++
  }
  out.end()
  await once(out, 'close')
  return { bytes: written, classes, frames }
}

function original(index: number): string {
  const word = (shift: number) => WORDS[Math.floor(index / 10 ** shift) % WORDS.length] as string
  const last = word(0)
  return `com.example.${word(3)}.${word(2)}.${word(1)}.${last[0]?.toUpperCase()}${last.slice(1)}Presenter${index}`
}

/** `a.a`, `a.b`, …: class names like R8's. */
function obfuscated(index: number): string {
  return `${(Math.floor(index / 1000) + 10).toString(36)}.${(index % 1000).toString(36)}`
}

function classBlock(index: number): string {
  const name = original(index)
  const lines = [
    `${name} -> ${obfuscated(index)}:`,
    `# {"id":"sourceFile","fileName":"${name.slice(name.lastIndexOf('.') + 1)}.kt"}`,
  ]
  lines.push('    kotlinx.coroutines.CoroutineScope scope -> a')
  for (let line = 1; line <= MEMBERS; line++) {
    const at = 100 + line * 3
    if (line % 3 === 0) {
      lines.push(
        `    ${line}:${line}:void ${original((index * 7 + line) % 100_000)}.load(java.lang.String,int):${at}:${at} -> a`,
      )
      lines.push(`    ${line}:${line}:void refresh(java.util.List,kotlin.coroutines.Continuation):${at + 1} -> a`)
    } else
      lines.push(`    ${line}:${line}:void refresh(java.util.List,kotlin.coroutines.Continuation):${at}:${at} -> a`)
    if (line === 4) lines.push('      # {"id":"com.android.tools.r8.residualsignature","signature":"(La/b;Lc/d;)V"}')
  }
  lines.push(`    ${MEMBERS + 1}:${MEMBERS + 40}:java.lang.String describe(com.example.Model):210:249 -> b`)
  return `${lines.join('\n')}\n`
}
