import type { ApiKey, ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import { covers, type Permissions, uncovered } from "@switchboard/domain/apiKeys/Permission"
import { ForbiddenError } from "@switchboard/domain/Errors"
import { Effect } from "effect"

/** Whoever gives power away, or takes it. */
export type Granter = Pick<ApiKeyIdentity, "permissions">

/** A key can't give more than it has. */
export const checkGrant = (granter: Granter, wanted: Permissions): Effect.Effect<void, ForbiddenError> => {
  const beyond = uncovered(granter.permissions, wanted)
  return beyond.length === 0
    ? Effect.void
    : new ForbiddenError({ message: `The API key can't grant what it may not do itself: ${beyond.join(", ")}` })
}

/** Nor can it touch a key that may do more: whoever rotates a key holds it, whoever removes it is rid of its owner. */
export const checkReach = (granter: Granter, apiKey: ApiKey): Effect.Effect<void, ForbiddenError> =>
  covers(granter.permissions, apiKey.permissions)
    ? Effect.void
    : new ForbiddenError({ message: "The API key can't change a key that may do more than it may itself" })
