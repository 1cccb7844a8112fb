import { story } from "./Story.js"

const [, , baseUrl, apiKey] = globalThis.process.argv

globalThis.process.stdout.write(JSON.stringify(await story(baseUrl, apiKey)))
