/** Seconds of processor time that something takes. Unlike time on the wall they do not grow with whatever else the machine is doing. */
export async function cpuSeconds(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
