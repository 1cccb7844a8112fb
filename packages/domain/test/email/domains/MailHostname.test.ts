import { assert, describe, it } from "@effect/vitest"
import { isPublicHostname } from "@switchboard/domain/email/domains/DomainRecords"

describe("A hostname", () => {
  it("is public with a domain", () => {
    for (const name of ["mail.example.com", "example.com", "Mail.Example.com."]) assert.isTrue(isPublicHostname(name))
  })

  it("is not public for localhost and single labels", () => {
    for (const name of ["localhost", "LOCALHOST.", "mailhost", "mail.localhost", ""]) {
      assert.isFalse(isPublicHostname(name))
    }
  })
})
