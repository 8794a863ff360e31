import { resolve } from 'node:path'
import { findRepository } from '../git/repository.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { useLocale } from '../text.ts'
import type { Collect, Delivery, DeliveryInput, Opened, Outputs } from './delivery.ts'
import { judge, unusableEnding } from './ending.ts'
import { POLICIES } from './policy.ts'
import { printableOnly } from './present.ts'
import { Run } from './run.ts'
import type { Verdict } from './verdict.ts'

/**
 * Resolves the settings and shows their problems. A bundler plugin calls the function before the build, so that an unusable configuration
 * is detected early. The function never throws.
 */
export function openDelivery(input: DeliveryInput): Delivery {
  const opened = open(input)
  if (!opened.usable) opened.shown = showUnusable(opened)
  let waiting: Run | undefined
  return {
    usable: opened.usable,
    settings: opened.judging.settings,
    verdict: opened.shown,
    watch(outputs) {
      waiting ??= new Run(opened)
      waiting.watch(outputs)
    },
    unwatch() {
      waiting?.unwatch()
      waiting = undefined
    },
    finish(collect, outputs) {
      const run = waiting ?? new Run(opened)
      waiting = undefined
      return run.finish(collect, outputs)
    },
  }
}

/**
 * Performs a complete run: settings, collect, prepare, send, clean up, verdict. The promise resolves after the last line has been shown.
 * @param outputs the outputs to search and clean if the configuration is unusable. In that case, `collect` is not called. Default: none.
 * @throws only the errors from `collect`.
 */
export async function deliver(input: DeliveryInput, collect: Collect, outputs?: Outputs): Promise<Verdict> {
  return new Run(open(input)).finish(collect, outputs)
}

function open(input: DeliveryInput): Opened {
  useLocale(input.settings.env)
  const { settings: given, later, git = false, policy = POLICIES.default, failOnWarnings = false } = input
  const cwd = resolve(given.cwd ?? '.')
  const resolution = resolveSettings({ ...given, ...(later && { needsKey: false }) })
  const problems = [...resolution.problems, ...(input.furtherProblems?.(resolution.problems) ?? [])]
  const usable = resolution.ok && problems.every(({ severity }) => severity !== 'error')
  const settings = resolution.ok ? resolution.settings : resolution.found
  return {
    ...{ input, cwd, usable, problems },
    present: printableOnly(input.present),
    judging: { policy, failOnWarnings, dryRun: given.dryRun ?? false, settings, subject: input.subject },
    // Start Git now so that it runs during the build. Starting a process also takes longer once the bundler uses a lot of memory.
    repository: usable && git && !later ? findRepository(cwd) : undefined,
  }
}

function showUnusable({ input, present, problems, judging }: Opened): Verdict {
  const nothing = { problems: [], lines: [], leaks: { lines: [], problems: [] } }
  const { verdict, lines } = judge(unusableEnding(problems, input), nothing, judging)
  present.record?.(verdict)
  present.show([...lines, verdict.summary], 'unusable')
  return verdict
}
