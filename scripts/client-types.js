// Writes the types of the client, packages/client/src/ApiTypes.ts, from the compiled declaration of the API. A part of the
// build: the file is not stored.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { clientTypes } from "../packages/api/dist/typescript/ClientTypes.js"

const file = new URL("../packages/client/src/ApiTypes.ts", import.meta.url)
const text = clientTypes()
// An unchanged file keeps its time of change, by which the compiler finds what to build.
if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text)
