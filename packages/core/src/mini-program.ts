// Mini-program code for the other symup packages. The code may change in any release.
export { readJsonFile } from './files/read-json.ts'
export { isMiniProgram, readAppJson } from './kinds/mini-program/app-json.ts'
export { inspectArchive } from './kinds/mini-program/mini-program.ts'
export {
  type ArchiveCheck,
  type ArchivedMap,
  archiveFlaw,
  archiveProblems,
  checkMiniProgramArchive,
  MINI_PROGRAM_LIMITS,
  NO_MAPS_MESSAGE,
  oldName,
  openArchive,
  totalTooLarge,
  withoutScripts,
} from './kinds/mini-program/mini-program-archive.ts'
export {
  aboveMainPackage,
  MAIN_PACKAGE,
  rootsInComment,
  subPackageAt,
  subPackagesComment,
} from './kinds/mini-program/sub-packages.ts'
export { UserVersionScan } from './kinds/mini-program/user-version.ts'
