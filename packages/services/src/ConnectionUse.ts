import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { FiberRef, GlobalValue } from "effect"

/**
 * The class of work that a fiber uses database connections for: an organization's id for its reads, "work" for
 * background work, null for the writes and key look-ups of requests.
 */
export const connectionUse: FiberRef.FiberRef<OrganizationId | "work" | null> = GlobalValue.globalValue(
  "services/ConnectionUse",
  () => FiberRef.unsafeMake<OrganizationId | "work" | null>(null)
)
