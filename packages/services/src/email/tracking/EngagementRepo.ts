import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { FollowedLink, Open } from "@switchboard/domain/email/tracking/Engagement"
import { Context, type Effect } from "effect"
import type { TrackedMail } from "./TrackingLinks.js"

/** An open of a mail, or a click in it. */
export interface Engagement {
  readonly mail: TrackedMail
  readonly request: FollowedLink | Open
}

/** Stores opens of mail and clicks. */
export class EngagementRepo extends Context.Tag("services/EngagementRepo")<
  EngagementRepo,
  {
    /**
     * Stores opens and clicks in the states of their messages, with events, in one transaction. Deleted messages don't
     * change.
     */
    readonly record: (engagements: ReadonlyArray<Engagement>) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
