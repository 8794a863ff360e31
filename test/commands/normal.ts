/** Removes everything from an output that differs between runs without meaning: paths, ports, durations, sizes, hashes. */
export function normal(output: string, { directory, installed }: { directory: string; installed: string }): string {
  return (
    afterProgress(output)
      .replaceAll(directory, '<project>')
      .replaceAll(installed, '<installed>')
      // The same directory as a relative path from the project.
      .replaceAll(/(?:\.\.\/)*\.\.<installed>/g, '<installed>')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '<intake>')
      // How far an upload has progressed depends on timing, except for the first retry.
      .replaceAll(/^\[symup\] \d+\/\d+ sent(?!, retrying \(attempt 2 ).*\n/gm, '')
      .replaceAll(/(?<!\d|\.[\w-]*|[\w-]{8})(?:\d+m )?\d+(?:\.\d+)? ?(?:ms|s|min)\b/g, '<time>')
      .replaceAll(/ *(?<![\d.])\d+(?:\.\d+)? (?:kB|KiB|B|bytes)\b/g, ' <size>')
      .replaceAll(/\bat byte offset \d+/g, 'at byte offset <n>')
      // Content hashes depend on the version of a bundler's runtime.
      .replaceAll(/(?<=[-.])[\w-]{8,10}(?=\.js)/g, '<hash>')
      // A stack inside another package.
      .replaceAll(/(?:^ +at .*\n)+/gm, '    at <stack>\n')
      .replaceAll(/(?<=\/main\.js|node:\w+\/\w+):\d+/g, ':<line>')
      .replaceAll('\u001b', '␛')
      .replaceAll(/[ \t]+$/gm, '')
      .trimEnd()
  )
}

/** What a terminal finally shows: the last state of each rewritten line. */
function afterProgress(output: string): string {
  return output
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.replaceAll('\u001b[K', '\r').replaceAll('\u001b[2K', '\r').split('\r').at(-1))
    .join('\n')
}
