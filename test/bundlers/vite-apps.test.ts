import * as vite8 from 'vite'
import { useIntake } from '../support/intake.ts'
import { describeNitro } from './properties/nitro.ts'
import { describeApps } from './properties/vite-apps.ts'

const intake = useIntake()

describeApps([vite8], intake)
describeNitro([vite8], intake)
