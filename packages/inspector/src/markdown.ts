import type { EnrichedFrame, Explained } from '@symup/intake/inspector'

/** A resolved stack for an issue or a chat: frames as a list, then the source of the first one. */
export function markdownOf(
  { service, version, title, frames }: Explained,
  addressOf: (frame: EnrichedFrame) => string | undefined,
): string {
  const lines = frames.map((frame) => {
    const { converted, function: name, raw, reason } = frame
    if (!converted) return `- ${code(raw.trim())}${reason ? `: ${reason.message}` : ''}`
    const place = [frame.file, frame.line, frame.column].filter((part) => part !== undefined).join(':')
    const address = addressOf(frame)
    return `- ${code(name ?? '<anonymous>')} ${address ? `[${code(place)}](${address})` : code(place)}`
  })
  const first = frames.find(({ converted, third_party: isLibrary, code_snippets: shown }) => {
    return converted && !isLibrary && shown?.length
  })
  const source = first?.code_snippets?.map(
    ({ line, code: text }) => `${line === first.line ? '>' : ' '} ${line}  ${text}`,
  )
  return [
    ...(title ? [`**${title.replaceAll('*', '\\*')}**`] : []),
    `${service} ${version}`,
    '',
    ...lines,
    ...(source ? ['', fenceFor(source), ...source, fenceFor(source)] : []),
    '',
  ].join('\n')
}

function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`
}

function fenceFor(lines: readonly string[]): string {
  const longest = Math.max(2, ...(lines.join('\n').match(/`+/g) ?? []).map(({ length }) => length))
  return '`'.repeat(longest + 1)
}
