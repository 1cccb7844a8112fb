import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { FiberRef, GlobalValue } from "effect"

/**
 * What a fiber uses database connections for: reads of a request of an organization, work beside requests, or, with null,
 * the writes and key look-ups of requests.
 */
export const connectionUse: FiberRef.FiberRef<OrganizationId | "work" | null> = GlobalValue.globalValue(
  "services/ConnectionUse",
  () => FiberRef.unsafeMake<OrganizationId | "work" | null>(null)
)
