import { useIntake } from '../support/intake.ts'
import { FAST_BUNDLERS } from './bundlers.ts'
import { describePlugin } from './properties/index.ts'

describePlugin(FAST_BUNDLERS, useIntake())
