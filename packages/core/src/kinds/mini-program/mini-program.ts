import { stat } from 'node:fs/promises'
import type { Plan } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import { type ReleaseInput, releaseFields } from '../kind.ts'
import type { MiniProgramSourceMapEvent } from './event.ts'
import { archiveProblems, type CheckedArchive, checkMiniProgramArchive } from './mini-program-archive.ts'

export interface MiniProgramInput extends ReleaseInput {
  /** The absolute path of the archive. */
  archive: string
  /** The appid that distinguishes mini programs with the same service and version. */
  appid?: string | undefined
  /** The result of an earlier check. If set, the archive is not read again, and its problems are not reported again. */
  checked?: Pick<CheckedArchive, 'userVersion'>
}

/** Plans the upload of an archive, or returns the reason why an intake would reject it. The function never throws. */
export async function collectMiniProgram(input: MiniProgramInput): Promise<Plan> {
  const { archive, version, appid } = input
  const { checked, problems } = input.checked ? { checked: input.checked, problems: [] } : await inspectArchive(archive)
  if (!checked) return { uploads: [], problems }
  const event: MiniProgramSourceMapEvent = {
    type: 'miniprogram_sourcemap',
    ...releaseFields(input),
    ...(appid !== undefined && { appid }),
  }
  const part = {
    name: 'sourcemap_archive',
    filename: 'sourcemap.zip',
    path: archive,
    bytes: (await stat(archive)).size,
    contentType: 'application/zip',
  }
  const { userVersion } = checked
  const differs = userVersion === undefined || userVersion === version ? [] : [versionDiffers(version, userVersion)]
  return { uploads: [{ event, parts: [part], encoding: 'identity' }], problems: [...problems, ...differs] }
}

/**
 * Checks an archive. The function never throws. If the result has no `checked`, the archive cannot be sent, and the problems explain why.
 */
export async function inspectArchive(archive: string): Promise<{ checked?: CheckedArchive; problems: Problem[] }> {
  try {
    const check = await checkMiniProgramArchive(archive)
    if (!check.ok) return { problems: [{ ...check.problem, file: archive }] }
    return { checked: check, problems: archiveProblems(check) }
  } catch (error) {
    return { problems: [unreadable('file-unreadable', error, { file: archive })] }
  }
}

function versionDiffers(version: string, userVersion: string): Problem {
  return problem(
    'archive-version-differs',
    t`Version ${version} was specified for this upload, but the archive is for version ${userVersion}, which was uploaded to WeChat.`,
  )
}
