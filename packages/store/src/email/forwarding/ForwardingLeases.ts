import type { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { type LeaseRow, leasesOf } from "../../queues/Leases.js"

/** The channel that workers listen on for mail that is to go on. */
export const forwardingChannel = "switchboard_forwarding"

/** A queue entry that was leased just now. */
interface ForwardingLease extends LeaseRow {
  readonly id: ForwardingId
}

/** The leases of `forwarding_queue`: organizations take turns. */
export const forwardingLeases = leasesOf<ForwardingLease>({
  name: "forwarding_queue",
  owner: "organization_id",
  columns: [],
  channel: forwardingChannel
})
