import type { HttpServerError } from "@effect/platform"
import { Data } from "effect"

/** The process can't listen on a port; the message has the address and the setting to change. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{ readonly message: string }> {}

/** Turns the platform's error into a message for the operator. */
export const listenFailed =
  (what: string, { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string }) =>
  ({ cause }: HttpServerError.ServeError) =>
    new ListenFailed({
      message: `${what} can't listen on ${host}:${port} (${cause instanceof Error ? cause.message : String(cause)}): set ${setting} to a free port`
    })
