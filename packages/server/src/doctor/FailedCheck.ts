import type { Finding } from "@switchboard/domain/system/SystemStatus"

const databaseErrors: ReadonlyArray<string> = ["ServiceUnavailableError", "SqlError"]

/** The finding of a check that failed. The messages of database outages have no remedy of their own. */
export const failedCheck =
  (subject: string) =>
  ({ _tag, message }: { readonly _tag: string; readonly message: string }): Finding => ({
    level: "error",
    subject,
    advice: [message, ...(databaseErrors.includes(_tag) ? ["Check DATABASE_URL and that PostgreSQL is running."] : [])]
  })
