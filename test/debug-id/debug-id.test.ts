import { BUILDS } from './builds.ts'
import { describeDebugIds } from './debug-ids.ts'

describeDebugIds(BUILDS)
