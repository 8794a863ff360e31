import { KINDS, UPLOAD_KINDS } from '../packages/core/src/kinds/index.ts'

export function kindsTable(): string {
  const rows = [...UPLOAD_KINDS.values()].map(({ type, label, event, parts }) => {
    const command = KINDS.find((kind) => kind.type === type)?.command
    const sends = command ? `\`symup ${command.group.name} ${command.name ?? 'upload'}\`` : ''
    const all = [...parts.required.map(code), ...(parts.optional ?? []).map((name) => `(${code(name)})`)]
    return `| ${label} | ${code(type)} | ${event.required.map(code).join(', ')} | ${all.join(', ')} | ${sends} |`
  })
  return [
    '| kind | `event.type` | required fields | parts (optional) | sent by |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function code(name: string): string {
  return `\`${name}\``
}
