import { describeDebugIds } from './debug-ids.ts'
import { OTHER_BUILDS } from './other-builds.ts'

describeDebugIds(OTHER_BUILDS)
