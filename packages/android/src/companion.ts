// The tasks in `symup.gradle` run this Node script. It reads a request from standard input, prints lines in the form `severity<TAB>text`,
// and exits with symup's exit code. Because old versions of Node cannot parse the rest of the code, the script checks the version of Node
// before it loads that code.
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
