import { assert, describe, it } from "@effect/vitest"
import { passwordFinding } from "@switchboard/server/doctor/DoctorRelay"
import { Option, Redacted } from "effect"

const found = (url: string, tls: Option.Option<"opportunistic" | "require">) =>
  passwordFinding({ smtpTls: tls }, Redacted.make(url)).map(({ advice, well }) => (well ? "well" : advice))

describe("What the doctor says of the relay's password", () => {
  it("is well where TLS is required, by default or by the setting", () => {
    for (const tls of [Option.none(), Option.some("require" as const)]) {
      assert.deepStrictEqual(found("smtp://user:password@relay.example.com", tls), ["well"])
    }
  })

  it("objects to opportunistic TLS", () => {
    const [advice] = found("smtps://user:password@relay.example.com", Option.some("opportunistic"))
    assert.match(advice ?? "", /^set SMTP_TLS=require/)
  })

  it("is nothing where no password leaves the machine", () => {
    assert.deepStrictEqual(found("smtp://relay.example.com", Option.some("opportunistic")), [])
    assert.deepStrictEqual(found("smtp://user:password@127.0.0.1", Option.some("opportunistic")), [])
  })
})
