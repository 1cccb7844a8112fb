import { signal } from "@preact/signals"
import { covers, type Permission, type Permissions, permits } from "@switchboard/domain/apiKeys/Permission"
import type { SessionDetails } from "./Types.js"

/** A link that was mailed to a person: it creates an account, or sets a new password. */
interface PersonLink {
  readonly page: "invitation" | "reset"
  readonly token: string
}

export type SessionState =
  | { readonly _tag: "Starting" }
  | { readonly _tag: "LoggedOut"; readonly reason?: string }
  | { readonly _tag: "LoggedIn"; readonly details: SessionDetails }
  /** A page that needs no session. */
  | { readonly _tag: "LinkOpened"; readonly link: PersonLink }
  /** The service could not tell whether there is a session. */
  | { readonly _tag: "Unavailable"; readonly error: unknown }

export const sessionState = signal<SessionState>({ _tag: "Starting" })

const details = (): SessionDetails | undefined =>
  sessionState.value._tag === "LoggedIn" ? sessionState.value.details : undefined

/** Whether the session has a permission. Actions without their permission are not shown. */
export const can = (permission: Permission): boolean => permits(details()?.permissions ?? {}, permission)

/** The id of the session's organization; empty without a session. */
export const organizationId = (): string => details()?.organization.id ?? ""

/** Where programs submit mail over SMTP; undefined if the service takes none, or without a session. */
export const submissionAddress = (): SessionDetails["submission"] => details()?.submission

/** The id of the session's user; undefined for the session of an API key, or without a session. */
export const userId = (): string | undefined => details()?.user?.id

/** Whether the session may grant these permissions to a key or a person. */
export const canGrant = (permissions: Permissions): boolean => covers(details()?.permissions ?? {}, permissions)

/** Shows the log-in page after a response with 401. */
export const endSession = (): void => {
  if (sessionState.peek()._tag === "LoggedIn") {
    sessionState.value = { _tag: "LoggedOut", reason: "Your session has ended. Log in again." }
  }
}
