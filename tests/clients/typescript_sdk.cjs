// Speaks with a server by the TypeScript SDK: node typescript_sdk.cjs ADDRESS, or PROGRAM ARGUMENT ...
// Prints what it heard as one JSON object. Found by NODE_PATH: @modelcontextprotocol/sdk
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");

async function main([first, ...rest]) {
  const transport = first.startsWith("http")
    ? new StreamableHTTPClientTransport(new URL(first))
    : new StdioClientTransport({ command: first, args: rest, env: process.env });
  const client = new Client({ name: "typescript", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools(); // later answers are checked against these schemas
  const call = () => client.callTool({ name: "search_code", arguments: { query: "retry" } });
  const answers = await Promise.all(Array.from({ length: 16 }, call));
  const progress = [];
  const packed = await client.callTool(
    { name: "pack_context", arguments: { task: "fix the retry of the uploader" } },
    undefined,
    { onprogress: (each) => progress.push(each.progress) },
  );
  const refused = await client.callTool({ name: "read_chunk", arguments: { path: "../secret" } });
  await client.close();
  console.log(JSON.stringify({
    server: client.getServerVersion().name,
    tools: tools.map((each) => each.name),
    readOnly: tools.every((each) => each.annotations.readOnlyHint),
    answers: answers.map((each) => each.structuredContent),
    packed: packed.structuredContent,
    refused: refused.isError,
    said: refused.content[0].text,
  }));
}

main(process.argv.slice(2)).then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
