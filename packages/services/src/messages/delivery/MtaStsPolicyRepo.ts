import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** The MTA-STS policy of a recipient domain (RFC 8461), as it was fetched. */
export interface MtaStsPolicy {
  /** Lower case, A-labels. */
  readonly domain: string
  /** The `id` of the DNS record with which it was fetched. */
  readonly id: string
  readonly mode: "none" | "testing" | "enforce"
  /** The patterns of the domain's mail servers, in lower case: a host name, or `*.` and a host name. */
  readonly mx: ReadonlyArray<string>
  readonly fetchedAt: DateTime.Utc
  /** The end of its `max_age`. */
  readonly expiresAt: DateTime.Utc
}

/** Stores MTA-STS policies, so that they hold over restarts. They are shared by all organizations. */
export class MtaStsPolicyRepo extends Context.Tag("services/MtaStsPolicyRepo")<
  MtaStsPolicyRepo,
  {
    /** The stored policy of a domain, which may have expired. */
    readonly find: (domain: string) => Effect.Effect<Option.Option<MtaStsPolicy>, ServiceUnavailableError>
    /** Replaces the policy of the domain, unless the stored one was fetched later. */
    readonly save: (policy: MtaStsPolicy) => Effect.Effect<void, ServiceUnavailableError>
    /** Deletes expired policies in batches. Returns their number. */
    readonly deleteExpired: Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
