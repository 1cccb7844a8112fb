import { assert, describe, it } from "@effect/vitest"
import { hostnameFinding } from "@switchboard/server/doctor/DoctorDomains"

const levels = (domains: ReadonlyArray<string>, mailHostname: string) =>
  hostnameFinding(domains, mailHostname).map(({ level }) => level)

describe("switchboard doctor, MAIL_HOSTNAME", () => {
  it("requires a public name if a domain has records that point to it", () => {
    assert.deepStrictEqual(levels(["localhost.test", "example.com"], "localhost"), ["error"])
    assert.deepStrictEqual(levels(["example.com"], "mail.example.net"), ["ok"])
    assert.match(hostnameFinding(["example.com"], "localhost")[0]?.advice?.join("\n") ?? "", /set MAIL_HOSTNAME/i)
  })

  it("is not checked without such a domain", () => {
    assert.deepStrictEqual(levels(["localhost.test"], "localhost"), [])
    assert.deepStrictEqual(levels([], "localhost"), [])
  })
})
