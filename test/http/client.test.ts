import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { clientFor } from "../../src/http/client.ts";
import { json, serve, success } from "../support/serve.ts";

test("a second request on the client of a connection fails, and nothing of it is sent", async () => {
  const api = await serve((_, response) => json(response, 200, success));
  const socket = connect(Number(new URL(api.url).port), "127.0.0.1");
  await once(socket, "connect");
  const client = clientFor(socket, api.url);
  const request = () =>
    client.request({ method: "GET", path: "/" }).then(
      ({ body }) => body.dump().then(() => "answered"),
      (error) => error.message,
    );

  const endings = [await request(), await request()];

  expect(endings).toEqual(["answered", "the connection is closed"]);
  expect([api.requests.length, api.connections()]).toEqual([1, 1]);
  await client.destroy();
});
