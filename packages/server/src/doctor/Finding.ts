/** The result of one check of `switchboard doctor`. */
export interface Finding {
  /** `warning`: the service works, but the operator should act. `error`: the service does not work as configured. */
  readonly level: "ok" | "warning" | "error"
  /** The part that was checked. */
  readonly subject: string
  /** The problem and its remedy, in lines. */
  readonly advice?: ReadonlyArray<string>
}

const databaseErrors: ReadonlyArray<string> = ["ServiceUnavailableError", "SqlError"]

/** The finding of a check that failed. The messages of database outages have no remedy of their own. */
export const failedCheck =
  (subject: string) =>
  ({ _tag, message }: { readonly _tag: string; readonly message: string }): Finding => ({
    level: "error",
    subject,
    advice: [message, ...(databaseErrors.includes(_tag) ? ["Check DATABASE_URL and that PostgreSQL is running."] : [])]
  })
