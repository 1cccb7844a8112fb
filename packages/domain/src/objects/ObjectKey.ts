import { Schema } from "effect"
import type { OrganizationId } from "../organizations/Organization.js"

/**
 * Where an object is kept: its organization, what it belongs to, and ids: nothing that a caller chose, and nothing that
 * means anything in a path.
 */
export const ObjectKey = Schema.String.pipe(
  Schema.pattern(/^[0-9a-f-]{36}(?:\/[0-9A-Za-z-]{1,64}){2,4}$/, { message: () => "must be the key of an object" }),
  Schema.brand("ObjectKey")
)
export type ObjectKey = typeof ObjectKey.Type

/** The key of an object of an area ("recordings") of an organization, by the ids of what it is. */
export const objectKey = (organization: OrganizationId, area: string, ...ids: ReadonlyArray<string>): ObjectKey =>
  ObjectKey.make([organization, area, ...ids].join("/"))
