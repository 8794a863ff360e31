// The tasks of `symup.gradle` run this Node script. The companion reads a request from standard input, prints lines of `severity<TAB>text`,
// and ends with symup's exit code. The companion checks Node's version before loading code that an old version cannot parse.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stdout.write(`error\tNode ${process.versions.node} is too old: symup needs 20.19 or later.\n`)
  process.stdout.write(
    "error\t  fix: install a newer version, or set its path: symup { nodeExecutable = '/path/to/node' }.\n",
  )
  process.exitCode = 2
} else {
  const { answerRequest } = await import('./run.ts')
  process.exitCode = await answerRequest(process.stdin, ({ severity, text }) => {
    process.stdout.write(`${severity}\t${text}\n`)
  })
}

export {}
