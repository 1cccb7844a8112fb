import { makeResendDocument } from "@switchboard/api/resend/ResendDocument"
import { Ajv2020 } from "ajv/dist/2020.js"
import { assert, describe, it } from "vitest"

const document = makeResendDocument("https://mail.example.com", "0.0.0")

describe("The document of the Resend API", () => {
  it("describes errors in the form of Resend only", () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    for (const { operationId, responses } of operations) {
      const statuses = Object.keys(responses)
      assert.deepStrictEqual([operationId, statuses.slice(-2)], [operationId, ["4XX", "5XX"]])
    }
    assert.include(Object.keys(document.components.schemas), "ResendError")
    assert.notInclude(JSON.stringify(document), "_tag")
  })

  it("has no schema without a use, and no reference without a schema", () => {
    const text = JSON.stringify(document)
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
    assert.deepStrictEqual([...used].sort(), Object.keys(document.components.schemas).sort())
  })

  it("takes the e-mail that the SDK sends", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: "document", ...document })
    const validate = ajv.getSchema("document#/components/schemas/SendEmailRequest")
    assert.isDefined(validate)
    const email = { from: "a@example.com", to: ["b@example.com"], subject: "Hello", html: "<p>Hello</p>" }
    assert.isTrue(validate(email))
    assert.isFalse(validate({ ...email, react: {} }))
  })
})
