import { FRAMEWORKS } from './built-frameworks.ts'
import { describeFrameworks } from './describe-frameworks.ts'

describeFrameworks(FRAMEWORKS)
