import { Context } from "effect"

/** Which parts of the service a process runs; a command runs none. */
export class Parts extends Context.Reference<Parts>()("server/Parts", {
  defaultValue: (): { readonly api: boolean; readonly worker: boolean } => ({ api: false, worker: false })
}) {}
