/** Seconds of processor time that something takes. Unlike wall time, this does not depend on other work on the machine. */
export async function cpuSeconds(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
