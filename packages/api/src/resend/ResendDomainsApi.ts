import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { Schema } from "effect"
import { Audit, Permission, RequestCost } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { keyPairCost } from "../email/domains/DomainsApi.js"
import { CreatedDomain, ListedDomain, ResendDomain, ResendDomainChange, ResendNewDomain } from "./ResendDomain.js"
import { ResendList, ResendListParams, referenceOf, removedOf } from "./ResendShapes.js"

const id = Schema.Struct({ id: EmailDomainId })

const DomainReference = referenceOf("domain", EmailDomainId).annotations({ identifier: "DomainReference" })

/** Sending domains. */
export class ResendDomainsApi extends HttpApiGroup.make("domains")
  .add(
    HttpApiEndpoint.post("create", "/domains")
      .annotate(Audit, { values: "resource", path: "/v1/email/domains/:id" })
      .setPayload(ResendNewDomain)
      .addSuccess(CreatedDomain, { status: 201 })
      .annotate(Permission, "domains.write")
      .annotate(RequestCost, keyPairCost)
      .annotate(OpenApi.Summary, "Add a domain")
      .annotate(OpenApi.Description, "Adds a domain as `POST /v1/email/domains` does. Names of records are complete.")
  )
  .add(
    HttpApiEndpoint.get("list", "/domains")
      .setUrlParams(ResendListParams)
      .addSuccess(ResendList(ListedDomain).annotations({ identifier: "ListDomainsResponse" }))
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "List domains")
      .annotate(OpenApi.Description, "Domains of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.get("get", "/domains/:id")
      .setPath(id)
      .addSuccess(ResendDomain)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Retrieve a domain")
      .annotate(OpenApi.Description, "Looks up the DNS records, and stores nothing. 502: the name servers failed.")
  )
  .add(
    HttpApiEndpoint.post("verify", "/domains/:id/verify")
      .annotate(Audit, { values: "resource", path: "/v1/email/domains/:id" })
      .setPath(id)
      .addSuccess(DomainReference)
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Verify a domain")
      .annotate(OpenApi.Description, "Looks up the DNS records and stores the result before it responds.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/domains/:id")
      .annotate(Audit, { values: "resource", path: "/v1/email/domains/:id" })
      .setPath(id)
      .setPayload(ResendDomainChange)
      .addSuccess(DomainReference)
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Update the tracking of a domain")
      .annotate(OpenApi.Description, "Changes the given fields.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/domains/:id")
      .annotate(Audit, { values: "resource", path: "/v1/email/domains/:id" })
      .setPath(id)
      .addSuccess(removedOf("domain", EmailDomainId).annotations({ identifier: "DeleteDomainResponse" }))
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Delete a domain")
      .annotate(OpenApi.Description, "422: a sender, a forwarding rule or a catch-all uses the domain.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Domains") {}
