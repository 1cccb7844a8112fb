import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Organization } from "@switchboard/domain/organizations/Organization"
import { UpdateOrganization } from "@switchboard/domain/organizations/UpdateOrganization"
import { Examples, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { organizationExamples } from "./OrganizationExamples.js"

/** The organization that a key belongs to. */
export class OrganizationsApi extends HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.get("get", "/organizations/current")
      .addSuccess(Organization)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "organization.read")
      .annotate(OpenApi.Summary, "Retrieve the current organization")
      .annotate(
        OpenApi.Description,
        "The organization of the key, with what it used: the counters of this month begin again at `messagesResetAt`."
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
        "What is given changes, what is not stays. `null` takes away `logo`, `countryCode` and `billingEmail`; `metadata` replaces the earlier map. A slug that another organization has is 409. Messages take a new `defaultCurrency` within seconds."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, organizationExamples)
  .annotate(OpenApi.Title, "Organizations") {}
