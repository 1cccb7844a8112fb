import { ValidationError } from "@switchboard/domain/Errors"
import { DateTime, Effect } from "effect"

/** Fails if `expiresAt` is not in the future. */
export const checkExpiry = (expiresAt: DateTime.Utc | null | undefined): Effect.Effect<void, ValidationError> =>
  Effect.flatMap(DateTime.now, (now) =>
    expiresAt && DateTime.lessThanOrEqualTo(expiresAt, now)
      ? new ValidationError({
          message: "The request body is invalid",
          fields: { expiresAt: ["must be in the future"] }
        })
      : Effect.void
  )
