import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  ConflictError,
  PayloadTooLargeError,
  RateLimitedError,
  ResourceNotFoundError,
  UnauthorizedError,
  ValidationError
} from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Session } from "@switchboard/domain/sessions/Session"
import {
  AcceptInvitation,
  ConfirmPasswordReset,
  CreateInvitation,
  RequestPasswordReset,
  UpdateUser,
  User,
  UserFilters,
  UserId,
  UserInvitation,
  UserInvitationId
} from "@switchboard/domain/users/User"
import { Schema } from "effect"
import { Audit, BodyLimit, Credentials, Extension, keyBody, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Done, Removed } from "../CommonShapes.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../JsonParameter.js"

const id = Schema.Struct({ id: UserId })

/** Query parameters of the list of users. */
const UserListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(UserFilters, { roleName: "admin", search: "ada" }))
})

export const UserPage = Page(User).annotations({ identifier: "UserPage" })
export const UserInvitationPage = Page(UserInvitation).annotations({ identifier: "UserInvitationPage" })

const newPassword =
  "The password has 10 to 200 characters, and is not the e-mail address (422). Equal characters of Unicode are the same (NFC)."

/** People of an organization, who log in to the console. */
export class UsersApi extends HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("list", "/users")
      .setUrlParams(UserListParams)
      .addSuccess(UserPage)
      .annotate(Permission, "users.read")
      .annotate(OpenApi.Summary, "List users")
      .annotate(OpenApi.Description, "People of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.get("listInvitations", "/users/invitations")
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(UserInvitationPage)
      .annotate(Permission, "users.read")
      .annotate(OpenApi.Summary, "List invitations")
      .annotate(
        OpenApi.Description,
        "Invitations that were not accepted and are not older than 7 days, newest first. The links are not shown."
      )
  )
  .add(
    HttpApiEndpoint.post("invite", "/users/invitations")
      .annotate(Audit, { values: "resource", path: "/v1/users/invitations/:id" })
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateInvitation)
      .addSuccess(UserInvitation, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "users.write")
      .annotate(OpenApi.Summary, "Invite a user")
      .annotate(
        OpenApi.Description,
        [
          "Creates an invitation to the organization with a role.",
          "",
          "- `url` is the link that accepts it, once, within 7 days. Only this response has it; a repeated request with the same `Idempotency-Key` does not.",
          "- `isMailed` says whether the link was also sent to the address. If not, pass it on yourself.",
          "- A new invitation to the same address replaces the former.",
          "- 409: the address has a user already, of this organization or of another one.",
          "- A role with permissions that the caller lacks cannot be granted (403).",
          "- An invitation ends when the user who made it is removed or gets another role."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.del("removeInvitation", "/users/invitations/:id")
      .setPath(Schema.Struct({ id: UserInvitationId }))
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "users.write")
      .annotate(OpenApi.Summary, "Withdraw an invitation")
      .annotate(OpenApi.Description, "Its link is rejected from then on.")
  )
  .add(
    HttpApiEndpoint.get("get", "/users/:id")
      .setPath(id)
      .addSuccess(User)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "users.read")
      .annotate(OpenApi.Summary, "Retrieve a user")
      .annotate(OpenApi.Description, "Returns a person of the organization.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/users/:id")
      .setPath(id)
      .setPayload(UpdateUser)
      .addSuccess(User)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "users.write")
      .annotate(OpenApi.Summary, "Update a user")
      .annotate(
        OpenApi.Description,
        [
          "Changes the given fields. A new role applies within a second, also to open sessions.",
          "",
          "- 409: the last admin of the organization cannot get another role.",
          "- A user with permissions that the caller lacks cannot be changed, and no role with such permissions can be granted (403)."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/users/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "users.write")
      .annotate(OpenApi.Summary, "Delete a user")
      .annotate(
        OpenApi.Description,
        "The user's sessions end within a second, and the invitations that the user made end. 409: the last admin of the organization cannot be deleted. A user with permissions that the caller lacks cannot be deleted (403)."
      )
  )
  .add(
    HttpApiEndpoint.del("removeTotp", "/users/:id/totp")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "users.write")
      .annotate(OpenApi.Summary, "Remove the second factor of a user")
      .annotate(
        OpenApi.Description,
        [
          "For a user who lost the authenticator app and the recovery codes: the next log-in needs no code.",
          "",
          "- Succeeds also for a user without a second factor.",
          "- 403: the user is the one of the session (use `POST /v1/session/totp/remove`), or has permissions that the caller lacks."
        ].join("\n")
      )
  )
  .middlewareEndpoints(Authorization)
  .add(
    HttpApiEndpoint.post("acceptInvitation", "/users/invitations/accept")
      .setPayload(AcceptInvitation)
      .addSuccess(Session)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(RateLimitedError)
      .addError(UnauthorizedError)
      .addError(ValidationError)
      .annotate(Credentials, [])
      .annotate(BodyLimit, keyBody)
      .annotate(OpenApi.Summary, "Accept an invitation")
      .annotate(
        OpenApi.Description,
        [
          "Creates the user of an invitation and starts a session, like `POST /v1/session`.",
          "",
          "- `token` is the part of the link after `#invitation=`.",
          `- ${newPassword}`,
          "- 401: the invitation was withdrawn or replaced, or is older than 7 days. 409: it was accepted before."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("requestReset", "/users/password-resets")
      .setPayload(RequestPasswordReset)
      .addSuccess(Done, { status: 202 })
      .addError(PayloadTooLargeError)
      .addError(RateLimitedError)
      .addError(ValidationError)
      .annotate(Credentials, [])
      .annotate(BodyLimit, keyBody)
      .annotate(OpenApi.Summary, "Request a new password")
      .annotate(
        OpenApi.Description,
        [
          "Mails a link that sets a new password, once, within 60 minutes. It is sent from the default sender of the user's organization.",
          "",
          "- The response is the same for an address without a user.",
          "- A user has at most three valid links; further requests send no mail.",
          "- Each request counts as a failed log-in of its network (429)."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("confirmReset", "/users/password-resets/confirm")
      .setPayload(ConfirmPasswordReset)
      .addSuccess(Done)
      .addError(PayloadTooLargeError)
      .addError(RateLimitedError)
      .addError(UnauthorizedError)
      .addError(ValidationError)
      .annotate(Credentials, [])
      .annotate(BodyLimit, keyBody)
      .annotate(OpenApi.Summary, "Set a new password")
      .annotate(
        OpenApi.Description,
        [
          "Sets the password of a link's user, and ends all sessions of the user.",
          "",
          "- `token` is the part of the link after `#reset=`.",
          `- ${newPassword}`,
          "- 401: the link was used before, or is older than 60 minutes."
        ].join("\n")
      )
  )
  .annotate(Extension, true)
  .annotate(OpenApi.Title, "Users") {}
