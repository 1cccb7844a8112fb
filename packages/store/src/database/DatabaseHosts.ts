import { Array } from "effect"
import { Client, type ClientConfig, DatabaseError } from "pg"

/** Scheme and user, hosts, and the rest of a URL. */
const parts = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/s

/**
 * The URLs of the single hosts of a PostgreSQL URL, which can have several, separated by commas
 * (`postgres://user@a:5432,b:5432/db`), as for libpq (PostgreSQL, "Connection URIs").
 */
export const hostUrls = (url: string): Array.NonEmptyReadonlyArray<string> => {
  const [, user = "", hosts = "", rest = ""] = parts.exec(url) ?? []
  const names = hosts.split(",")
  return Array.isNonEmptyArray(names) && names.length > 1 ? Array.map(names, (name) => `${user}${name}${rest}`) : [url]
}

/** The SQLSTATE of a write on a read-only server. */
const readOnly = "25006"

const requirePrimary = async (client: Client) => {
  const { rows } = await client.query<{ transaction_read_only: string }>("SHOW transaction_read_only")
  if (rows[0]?.transaction_read_only !== "on") return client
  await client.end()
  const message = `${client.host}:${client.port} is a read-only standby`
  throw Object.assign(new DatabaseError(message, message.length, "error"), { code: readOnly })
}

/** The queries of a lost connection fail by themselves, so its error needs no handling. */
export const ignoreLoss = () => undefined

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void)

/**
 * The class of connections to a URL. Of several hosts, a connection is made to that of the connection before; after a
 * failure, the next one is made to the next host. A standby counts as a failure.
 */
export const connectionTo = (url: string): (new (config?: Omit<ClientConfig, "connectionString">) => Client) => {
  const urls = hostUrls(url)
  let current = 0
  return class extends Client {
    readonly #index = current

    constructor(config?: Omit<ClientConfig, "connectionString">) {
      super({ ...config, connectionString: urls[current] })
      // `pg` and its pool have no listener on a connection that is new or in use; without one, an error ends the process.
      this.on("error", ignoreLoss)
    }

    override connect(): Promise<Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected) {
      const connected = super
        .connect()
        .then(urls.length > 1 ? requirePrimary : undefined)
        .catch((error) => {
          if (current === this.#index) current = (current + 1) % urls.length
          throw error
        })
      if (callback === undefined) return connected
      connected.then(
        (client) => Reflect.apply(callback, undefined, [null, client]),
        (error) => Reflect.apply(callback, undefined, [error])
      )
    }
  }
}
