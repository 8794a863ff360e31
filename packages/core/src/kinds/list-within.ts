import { statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { shownPath } from '../files/shown-path.ts'
import { isFinderFile, type ListOptions, listFiles, type OutsideLink } from '../files/walk.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { unreadable } from '../problems/unreadable.ts'
import { t } from '../text.ts'

export interface ListWithin extends Pick<ListOptions, 'allowedRoot' | 'enters'> {
  /**
   * Selects files by their relative paths. Links to other files are ignored.
   * @default all files are selected
   */
  wanted?: ((file: string) => boolean) | undefined
  shown(file: string): string
}

export interface Listing {
  /** Sorted paths relative to the directory, with `/` as the separator. Files that were added by the macOS Finder are omitted. */
  files: string[]
  /** Links that point outside the directory. `files` does not include these links. */
  links: string[]
  problems: Problem[]
}

/**
 * Lists the files in a directory. A wanted file that is a link to a location outside the directory is reported as a problem.
 * @throws a file system error if the directory itself cannot be read.
 */
export async function listWithin(
  directory: string,
  { allowedRoot, enters, wanted = () => true, shown }: ListWithin,
): Promise<Listing> {
  const outside: OutsideLink[] = []
  const files = (await listFiles(directory, { allowedRoot, outside, enters })).filter((file) => !isFinderFile(file))
  const links = outside.filter(({ isDirectory }) => !isDirectory).map(({ path }) => path)
  const problems = links.filter(wanted).map((link) => fileOutside(shown(link)))
  const directories = outside.filter(({ isDirectory }) => isDirectory).map(({ path }) => path)
  if (directories.length > 0) problems.push(linksNotFollowed(directories, shown))
  return { files, links, problems }
}

/**
 * Returns the absolute path of a file, or the absolute paths of the files in a directory.
 * @param given the path as the user wrote it, relative to `cwd`.
 * @returns a problem and no files if the path cannot be listed.
 */
export async function filesAt(
  given: string,
  { cwd, allowedRoot, wanted }: Pick<ListWithin, 'allowedRoot' | 'wanted'> & { cwd: string },
): Promise<{ files?: string[]; problems: Problem[] }> {
  const path = resolve(cwd, given)
  const shown = (file: string) => shownPath(join(path, file), cwd)
  try {
    if (statSync(path).isFile()) return { files: [path], problems: [] }
    const { files, problems } = await listWithin(path, { allowedRoot, wanted, shown })
    return { files: files.map((file) => join(path, file)), problems }
  } catch (error) {
    return { problems: [unreadable('directory-unreadable', error, { file: unlistedIn(path, given, error) })] }
  }
}

/** Returns the directory that could not be listed: either the given directory or one below it. */
export function unlistedIn(directory: string, given: string, error: unknown): string {
  const { path = directory } = error as NodeJS.ErrnoException
  return path.startsWith(directory + sep) ? join(given, relative(directory, path)) : given
}

export function fileOutside(file: string): Problem {
  return problem('file-outside', t`The file is a symbolic link that points outside the uploaded directory.`, { file })
}

const SHOWN_LINKS = 3

function linksNotFollowed(links: readonly string[], shown: (file: string) => string): Problem {
  const named = links.slice(0, SHOWN_LINKS).map(shown).join(', ')
  const more = links.length > SHOWN_LINKS ? t` and ${links.length - SHOWN_LINKS} more` : ''
  // Package managers create links in `node_modules`, which is not part of the build output, so these links are expected.
  const isUsual = links.every((link) => link.split('/').includes('node_modules'))
  return problem(
    'file-outside',
    t`symup does not follow symbolic links to directories outside the uploaded directory: ${named}${more}.`,
    {
      severity: isUsual ? 'info' : 'warning',
      ...(isUsual && { fix: t`Ignore this message unless the links point to files from the build.` }),
    },
  )
}
