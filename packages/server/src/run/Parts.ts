import { Context } from "effect"

/** The parts of the service that a process runs; other commands run none. */
export class Parts extends Context.Reference<Parts>()("server/Parts", {
  defaultValue: (): { readonly api: boolean; readonly worker: boolean } => ({ api: false, worker: false })
}) {}
