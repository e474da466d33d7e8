/** `astro dev` has no front server: the application is composed here, with the first request. */

import { compose } from './compose.ts'
import { processConfig } from './config.ts'

export const developmentApplication = await compose(processConfig())
