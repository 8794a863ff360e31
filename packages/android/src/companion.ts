// This Node script is run by the tasks in `symup.gradle`. It reads a request from standard input, prints lines in the form
// `severity<TAB>text`, and exits with symup's exit code. Before it loads code that old versions of Node cannot parse, it checks the
// version.
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
