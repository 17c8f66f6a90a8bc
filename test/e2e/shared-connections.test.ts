import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { plain, rcOf } from "./profiles.ts";

test("accounts share connections, as many as run at once", async () => {
  const api = await serve((_, response) => json(response, 200, success));

  const run = await runInProcess(["test", "--all", "--concurrency", "3"], {
    homeFolder: folderWith({ ".referralrc": rcOf(api.url, plain(30)) }),
  });

  expect(run.exitCode).toBe(0);
  expect(api.requests).toHaveLength(30);
  expect(api.connections()).toBe(3);
  expect(await api.openConnections()).toBe(0);
});

test("a kept connection that the server closes when it is used again is no verdict: a fresh one is made", async () => {
  const body = JSON.stringify(success);
  let connections = 0;
  let refused = 0;
  const server = createServer((socket) => {
    connections += 1;
    let served = false;
    socket.on("error", () => {});
    socket.on("data", () => {
      if (served) {
        refused += 1;
        socket.destroy();
      } else {
        served = true;
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const run = await runInProcess(["test", "--all", "--json", "--concurrency", "1"], {
    homeFolder: folderWith({ ".referralrc": rcOf(url, plain(5)) }),
  });

  expect(run.exitCode).toBe(0);
  expect(JSON.parse(run.stdout).checks.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
    Array(5).fill("accepted"),
  );
  expect([connections, refused]).toEqual([5, 4]);
});

test("a kept connection that the server has closed by then is not used again", async () => {
  const api = await serve(({ socket }, response) => {
    json(response, 200, success);
    response.once("close", () => socket.end());
  });
  const slow = await serve((_, response) => void setTimeout(() => json(response, 200, success), 60));
  const profiles = { a: {}, b: { baseUrl: slow.url }, c: {} };

  const run = await runInProcess(["test", "--all", "--json", "--concurrency", "1"], {
    homeFolder: folderWith({ ".referralrc": rcOf(api.url, profiles) }),
  });

  expect(run.exitCode).toBe(0);
  expect([api.requests.length, api.connections()]).toEqual([2, 2]);
});

test("a connection on which an answer was malformed is not used again", async () => {
  const api = await serve((_, response) => {
    if (api.requests.length === 1) response.socket?.end("nonsense\r\n\r\n");
    else json(response, 200, success);
  });

  const run = await runInProcess(["test", "--all", "--json", "--concurrency", "1"], {
    homeFolder: folderWith({ ".referralrc": rcOf(api.url, plain(3)) }),
  });

  expect(run.exitCode).toBe(6);
  expect(api.requests).toHaveLength(3);
  expect(api.connections()).toBe(2);
});
