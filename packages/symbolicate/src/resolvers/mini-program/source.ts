import type { Release } from '../../release.ts'

/** Where the resolver finds source maps of mini programs. */
export interface MiniProgramSource {
  /** The maps with these names in the archives of a release, for any appid. */
  findMaps(release: Release, entries: readonly string[]): Promise<MiniProgramMap[]>
  /** Names of the release's maps, at most `limit`. Used only to explain a miss. */
  entriesOf(release: Release, limit: number): Promise<string[]>
  /** Releases with an archive, optionally of one service, newest first, at most `limit`. Used only to explain a miss. */
  releases(limit: number, service?: string): Promise<Release[]>
}

export interface MiniProgramMap {
  /** Name in the archive, such as `packageA/app-service.js.map`. */
  entry: string
  /** Root of the sub-package; '' for the main package. */
  subPackage: string
  /** '' if the archive was uploaded without one. */
  appid: string
  /** Equal for equal content. Used as a cache key for parsed maps. */
  contentKey: string
  /** Path of the archive on disk. Another thread reads the map itself. */
  locateArchive?(): Promise<string>
  readMap(): Promise<Uint8Array>
}
