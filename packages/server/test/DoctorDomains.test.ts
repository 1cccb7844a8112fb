import { assert, describe, it } from "@effect/vitest"
import { hostnameFinding } from "@switchboard/server/doctor/DoctorDomains"

const well = (domains: ReadonlyArray<string>, mailHostname: string) =>
  hostnameFinding(domains, mailHostname).map((finding) => finding.well)

describe("The doctor", () => {
  it("asks for a public MAIL_HOSTNAME where domains have records that lead to it", () => {
    assert.deepStrictEqual(well(["localhost.test", "example.com"], "localhost"), [false])
    assert.deepStrictEqual(well(["example.com"], "mail.example.net"), [true])
    assert.include(hostnameFinding(["example.com"], "localhost")[0]?.advice, "set MAIL_HOSTNAME")
  })

  it("does not ask for it on a laptop", () => {
    assert.deepStrictEqual(well(["localhost.test"], "localhost"), [])
    assert.deepStrictEqual(well([], "localhost"), [])
  })
})
