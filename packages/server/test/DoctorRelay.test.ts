import { assert, describe, it } from "@effect/vitest"
import { passwordFinding } from "@switchboard/server/doctor/DoctorRelay"
import { Option, Redacted } from "effect"

const check = (url: string, tls: Option.Option<"opportunistic" | "require">) =>
  passwordFinding({ smtpTls: tls }, Redacted.make(url))

describe("switchboard doctor, the relay's password", () => {
  it("reports ok if TLS is required, by default or by SMTP_TLS", () => {
    for (const tls of [Option.none(), Option.some("require" as const)]) {
      const findings = check("smtp://user:password@relay.example.com", tls)
      assert.deepStrictEqual(
        findings.map(({ level }) => level),
        ["ok"]
      )
    }
  })

  it("reports an error with opportunistic TLS", () => {
    const [finding] = check("smtps://user:password@relay.example.com", Option.some("opportunistic"))
    assert.strictEqual(finding?.level, "error")
    assert.match(finding?.advice?.[0] ?? "", /^Set SMTP_TLS=require/)
  })

  it("reports nothing if no password leaves the host", () => {
    assert.deepStrictEqual(check("smtp://relay.example.com", Option.some("opportunistic")), [])
    assert.deepStrictEqual(check("smtp://user:password@127.0.0.1", Option.some("opportunistic")), [])
  })
})
