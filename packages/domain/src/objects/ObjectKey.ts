import { Schema } from "effect"
import type { OrganizationId } from "../organizations/Organization.js"

/**
 * The key of a stored object: the organization's id, the area, and ids. It contains no input of callers, and is safe as
 * a path.
 */
export const ObjectKey = Schema.String.pipe(
  Schema.pattern(/^[0-9a-f-]{36}(?:\/[0-9A-Za-z-]{1,64}){2,4}$/, { message: () => "must be the key of an object" }),
  Schema.brand("ObjectKey")
)
export type ObjectKey = typeof ObjectKey.Type

/** The key of an object in an area (like `recordings`) of an organization. */
export const objectKey = (organization: OrganizationId, area: string, ...ids: ReadonlyArray<string>): ObjectKey =>
  ObjectKey.make([organization, area, ...ids].join("/"))
