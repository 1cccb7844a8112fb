import type { ApiKey } from "@switchboard/domain/apiKeys/ApiKey"
import { Effect } from "effect"
import { type NewEvent, newEvent } from "../events/NewEvent.js"

/** The event of a change to a key. A key without an organization has none. */
export const apiKeyEvents = (
  type: "api_key.created" | "api_key.rotated" | "api_key.deleted",
  apiKey: ApiKey
): Effect.Effect<ReadonlyArray<NewEvent>> =>
  apiKey.organizationId === undefined
    ? Effect.succeed([])
    : Effect.map(newEvent(type, apiKey.organizationId, apiKey.id, apiKey), (event) => [event])
