import { readFileSync } from 'node:fs'
import { type Collection, collectArkTs, deliver, type OnError, policyOf, presentLines, problem } from '@symup/core'
import { t, useLocale } from '@symup/core/text'
import manifest from '../package.json' with { type: 'json' }
import { isOn } from './is-on.ts'
import type { UploadRequest } from './request.ts'

/** @returns the exit code. If it is 0, the build continues. */
async function run(request: UploadRequest): Promise<number> {
  const { options, directory, versionName, mode, target, product, buildDirectory } = request
  const { onError } = options
  useLocale()
  const { exitCode } = await deliver(
    {
      adapter: { name: 'hvigor', version: manifest.version },
      settings: {
        options,
        adapter: 'hvigor',
        cwd: directory,
        ignoreConfigFile: isOn(options.ignoreConfigFile),
        needsPrefix: false,
        inferredVersion:
          versionName === undefined ? undefined : { value: versionName, from: t`versionName of the app` },
      },
      policy: policyOf(onError as OnError | undefined),
      ...(onError === 'fail' && { keyRequired: true }),
      present: presentLines(({ severity, text }) => process.stdout.write(`${severity}\t${text}\n`)),
    },
    async ({ settings, allowedRoot }): Promise<Collection> => {
      const version = settings.version.value
      const { uploads, problems } = await collectArkTs({
        paths: [directory],
        ...{ mode, target, product, buildDirectory, version, allowedRoot },
        service: settings.service.value,
        toolVersion: manifest.version,
        cwd: directory,
      })
      if (versionName === undefined || version === versionName) return { uploads, problems, directories: [directory] }
      const message = t`This upload is for version ${version}, but the versionName of the app is ${versionName}.`
      return { uploads, problems: [problem('version-differs', message), ...problems], directories: [directory] }
    },
  )
  return exitCode
}

run(JSON.parse(readFileSync(0, 'utf8')) as UploadRequest).then((exitCode) => {
  process.exitCode = exitCode
})
