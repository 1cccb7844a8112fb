import type { ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import type { BadRequestError, ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { User, UserInvitation, UserInvitationId } from "@switchboard/domain/users/User"
import { Context, type Effect, type Option, type Redacted } from "effect"
import type { StorableApiKey } from "../apiKeys/NewApiKey.js"
import type { NewSession } from "../sessions/SessionRepo.js"
import type { OidcAccount } from "./UserRepo.js"

/** An invitation as stored. */
export interface StoredInvitation {
  readonly invitation: UserInvitation
  readonly organizationId: OrganizationId
}

/** A user to store with the key that it acts through, and its first session. */
export interface NewUser {
  readonly user: User
  /** None without a password. */
  readonly passwordHash: Option.Option<Redacted.Redacted<string>>
  /** The account that the user is bound to. */
  readonly oidcAccount: Option.Option<OidcAccount>
  readonly key: StorableApiKey
  readonly session: NewSession
}

/** Stores invitations by the hash of their token. Expired invitations are not returned. */
export class InvitationRepo extends Context.Tag("services/InvitationRepo")<
  InvitationRepo,
  {
    /**
     * Stores an invitation by an API key, which replaces one of the organization to the same address. False if the key
     * has ended or has other permissions. Fails if the address has a user.
     */
    readonly insert: (
      invitation: StoredInvitation,
      tokenHash: string,
      key: Pick<ApiKeyIdentity, "id" | "permissions">
    ) => Effect.Effect<boolean, ConflictError | ServiceUnavailableError>
    /** An invitation of the organization that was not accepted. */
    readonly find: (
      organization: OrganizationId,
      id: UserInvitationId
    ) => Effect.Effect<Option.Option<UserInvitation>, ServiceUnavailableError>
    /** The invitations of the organization that were not accepted, newest first. */
    readonly list: (
      organization: OrganizationId,
      page: PageRequest
    ) => Effect.Effect<Page<UserInvitation>, BadRequestError | ServiceUnavailableError>
    /** Deletes an invitation that was not accepted. Returns whether it existed. */
    readonly remove: (
      organization: OrganizationId,
      id: UserInvitationId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** The invitation with this token hash, and whether it was accepted. */
    readonly findByToken: (
      tokenHash: string
    ) => Effect.Effect<Option.Option<StoredInvitation & { readonly isAccepted: boolean }>, ServiceUnavailableError>
    /** The newest invitation to an address, of any organization, that was not accepted. */
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<StoredInvitation>, ServiceUnavailableError>
    /**
     * Stores the user of an invitation with its key and session in one transaction. False if the invitation was accepted
     * or deleted before; of several concurrent calls only one succeeds. Fails if the address or the account has a user.
     */
    readonly accept: (
      id: UserInvitationId,
      user: NewUser
    ) => Effect.Effect<boolean, ConflictError | ServiceUnavailableError>
    /** Deletes expired invitations in batches. Returns their number. */
    readonly deleteExpired: Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
