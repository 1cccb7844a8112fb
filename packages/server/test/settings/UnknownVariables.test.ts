import { assert, it } from "@effect/vitest"
import { unknownVariables } from "@switchboard/server/settings/Settings"

it("Variables that are close to a setting are found, and no others", () => {
  const known = ["SMTP_URL", "DATABASE_URL", "DATABASE_URL_FILE", "PORT"]
  const environment = {
    SMTP_URL: "",
    DATABASE_URL_FILE: "",
    SMPT_URL: "",
    DATABSE_URL: "",
    SMTP_URLS_OF_ANOTHER_PROGRAM: "",
    POST: "",
    HOME: ""
  }
  assert.deepStrictEqual(unknownVariables(environment, known), [
    ["SMPT_URL", "SMTP_URL"],
    ["DATABSE_URL", "DATABASE_URL"]
  ])
})
