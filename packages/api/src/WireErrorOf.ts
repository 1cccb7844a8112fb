import { HttpApiError } from "@effect/platform"
import { BadRequestError, ResourceNotFoundError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Cause, Effect, Predicate } from "effect"
import { pathOf } from "./RequestTarget.js"
import { unexpected } from "./Unexpected.js"
import { isWireError, type WireError } from "./Wire.js"

/** The parameter of a path or query that does not fit: bodies have their own door, nothing else can fail here. */
const parameterProblem = ({ issues }: HttpApiError.HttpApiDecodeError) => {
  const [issue] = issues
  const name = issue?.path.map(String).join(".") ?? ""
  const reason = issue?.message.split("\n").at(-1)?.trim() ?? ""
  return new BadRequestError({
    message: `The parameter ${name} ${/^(?:must|is) /.test(reason) ? reason : "is not valid"}`
  })
}

const interrupted = new ServiceUnavailableError({
  message: "The request was interrupted before it ended; try again",
  retryAfterSeconds: 1
})

/** The one error that a failure comes to on the wire; what nobody expected is logged with its cause. */
export const wireErrorOf = (cause: Cause.Cause<unknown>, target: string): Effect.Effect<WireError> => {
  if (Cause.isInterruptedOnly(cause)) {
    return Effect.as(Effect.logWarning("A request was interrupted by the service", cause), interrupted)
  }
  const error = Cause.squash(cause)
  if (isWireError(error)) return Effect.succeed(error)
  if (error instanceof HttpApiError.HttpApiDecodeError) return Effect.succeed(parameterProblem(error))
  if (Predicate.isTagged(error, "RouteNotFound")) {
    return Effect.succeed(new ResourceNotFoundError({ resource: "route", id: pathOf(target) }))
  }
  return unexpected(cause)
}
