import { fileURLToPath } from "node:url"
import { consoleHttp } from "@switchboard/api/console/ConsoleHttp"

/** The build of the console. The path is the same from this file and from the bundle, dist/program. */
const folder = fileURLToPath(new URL("../../../console/dist/page", import.meta.url))

/** Serves the console under `/console/`. */
export const ConsoleLive = consoleHttp(folder)
