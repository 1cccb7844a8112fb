import type { HttpServerError } from "@effect/platform"
import { Data } from "effect"

/** A port can't be listened on; the message names it, and the setting to change. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{ readonly message: string }> {}

/** What the platform says of a server that can't listen, in words for whoever starts it. */
export const listenFailed =
  (what: string, { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string }) =>
  ({ cause }: HttpServerError.ServeError) =>
    new ListenFailed({
      message: `${what} can't listen on ${host}:${port} (${cause instanceof Error ? cause.message : String(cause)}): set ${setting} to a free port`
    })
