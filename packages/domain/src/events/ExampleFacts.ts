import type { Schema } from "effect"
import type { eventData } from "./EventCatalog.js"
import type { EventType } from "./EventType.js"

/** The data of an event in wire format. */
export type EncodedData<Type extends EventType> = Schema.Schema.Encoded<(typeof eventData)[Type]>

/** The time of all examples. */
export const exampleAt = "2026-11-20T09:30:00.000Z"

/** The organization of all examples. */
export const exampleOrganization = "01a1fc1d-cf8f-76d9-be28-52307925009f"

/** The resource ids of the examples. */
export const exampleMessageId = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"
export const exampleApiKeyId = "01a1fc1d-cf9d-766f-8d6a-43d494c1944f"
