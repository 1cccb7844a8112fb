import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { FiberRef, GlobalValue } from "effect"

/** The organization that a request reads for, while it is served; null where a request changes something, and outside requests. */
export const currentReader: FiberRef.FiberRef<OrganizationId | null> = GlobalValue.globalValue(
  "services/CurrentReader",
  () => FiberRef.unsafeMake<OrganizationId | null>(null)
)
