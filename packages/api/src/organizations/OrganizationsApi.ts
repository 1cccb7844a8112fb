import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Organization, UpdateOrganization } from "@switchboard/domain/organizations/Organization"
import { Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"

/** The organization of the API key. */
export class OrganizationsApi extends HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.get("get", "/organizations/current")
      .addSuccess(Organization)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "organization.read")
      .annotate(OpenApi.Summary, "Retrieve the current organization")
      .annotate(
        OpenApi.Description,
        "Returns the organization of the key and its usage. The monthly counters start again at 0 at `messagesResetAt`."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/organizations/current")
      .setPayload(UpdateOrganization)
      .addSuccess(Organization)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "organization.write")
      .annotate(OpenApi.Summary, "Update the current organization")
      .annotate(
        OpenApi.Description,
        [
          "Changes the given fields.",
          "",
          "- `null` removes `logo`, `countryCode` and `billingEmail`, and empties `metadata`.",
          "- `metadata` replaces the earlier object.",
          "- A slug of another organization is 409.",
          "- New messages use a new `defaultCurrency` within seconds."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Organizations") {}
