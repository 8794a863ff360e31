import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'

const release = { service: 'shop', version: '1' }

/** The result for the first frame in a stack whose script was uploaded with a map. */
export async function resolvedFrame(stack: string, url: string, script: string, map: object) {
  const content = Buffer.from(JSON.stringify(map))
  const upload = {
    event: { type: 'js_sourcemap', ...release, minified_url: url, project_path: '', cli_version: '' },
    parts: [
      { name: 'source_map', fileName: 'a.js.map', path: 'a.js.map', bytes: content.length, content },
      { name: 'minified_file', fileName: 'a.js', path: 'a.js', bytes: script.length, content: Buffer.from(script) },
    ],
  }
  const { frames } = await symbolicate({ stack, ...release }, artifactSourceOf([upload as never]))
  return frames[0]?.resolved
}
