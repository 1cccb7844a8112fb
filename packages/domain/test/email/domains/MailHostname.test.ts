import { assert, describe, it } from "@effect/vitest"
import { isPublicHostname } from "@switchboard/domain/email/domains/MailHostname"

describe("A host's name", () => {
  it("leads others to it where it has a domain", () => {
    for (const name of ["mail.example.com", "example.com", "Mail.Example.com."]) assert.isTrue(isPublicHostname(name))
  })

  it("leads them nowhere where it is the machine's own", () => {
    for (const name of ["localhost", "LOCALHOST.", "mailhost", "mail.localhost", ""]) {
      assert.isFalse(isPublicHostname(name))
    }
  })
})
