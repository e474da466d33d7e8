/** `astro dev` has no front server: the application is composed here, with the first request. */
import { processConfig } from '../platform/config.ts'
import { compose } from './compose.ts'

export const developmentApplication = await compose(processConfig())
