import { InternalError } from "@switchboard/domain/Errors"
import { type Cause, Effect } from "effect"

const internal = new InternalError({ message: "An unexpected error. It has been logged with the request's id." })

/** What nobody expected is logged with its cause; the caller learns only that it happened. */
export const unexpected = (cause: Cause.Cause<unknown>) =>
  Effect.as(Effect.logError("A request failed unexpectedly", cause), internal)
