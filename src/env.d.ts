declare namespace App {
  interface Locals {
    app: import('./lib/server/compose.ts').Application
    requestId: string
    customer: import('./lib/server/services/context.ts').Customer | undefined
  }
}
