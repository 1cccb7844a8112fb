import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Effect } from "effect"

/** The kinds of encrypted secrets in the database. A replaced secret moves to a later kind. */
export const secretKinds = [
  "DKIM key sm1",
  "DKIM key sm2",
  "secret of webhook endpoint",
  "previous secret of webhook endpoint",
  "earlier secret of webhook endpoint",
  "headers of webhook endpoint",
  "webhook secret of voice agent",
  "webhook headers of voice agent"
] as const
export type SecretKind = (typeof secretKinds)[number]

/** An encrypted secret of a domain, a webhook endpoint or a voice agent. */
export interface StoredSecret {
  readonly organizationId: string
  readonly id: string
  /** The id of the domain, endpoint or agent that it is encrypted for. */
  readonly owner: string
  readonly sealed: Uint8Array
}

/** Stores encrypted secrets, over all organizations. */
export class SecretRepo extends Context.Tag("services/SecretRepo")<
  SecretRepo,
  {
    /** Up to `limit` secrets that do not name the key, in the order of their owners, after `after`. */
    readonly underOtherKeys: (
      kind: SecretKind,
      keyId: Uint8Array,
      after: Pick<StoredSecret, "organizationId" | "id">,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredSecret>, ServiceUnavailableError>
    /** Replaces secrets in one transaction, unless they were changed since. Returns the number of replaced ones. */
    readonly replace: (
      kind: SecretKind,
      secrets: ReadonlyArray<StoredSecret & { readonly resealed: Uint8Array }>
    ) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
