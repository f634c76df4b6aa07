# SPDX-License-Identifier: BSD-3-Clause
"""A real headless Chromium, driven over its DevTools pipe: no driver program and no package needed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
    "--disable-background-networking",
    "--no-first-run",
]


class Browser:
    """One page. Messages are JSON ended by a zero byte: written to the browser's descriptor 3, read from its 4."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="pivotlab-browser-")
        to_read, self.out = os.pipe()
        self.inp, to_write = os.pipe()

        def place_descriptors():
            saved = os.dup(to_read), os.dup(to_write)
            os.dup2(saved[0], 3)
            os.dup2(saved[1], 4)

        self.process = subprocess.Popen(
            [PROGRAM, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
            close_fds=False,
            preexec_fn=place_descriptors,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.count, self.session = b"", 0, None
        self.errors: list[str] = []
        self.requests: list[str] = []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.show()

    def show(self, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Sets the size of the screen and the theme of the system."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        os.close(self.out)
        os.close(self.inp)
        for _ in range(50):  # its own processes end a little later and still write
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)

    def read(self) -> dict:
        while b"\0" not in self.buffer:
            chunk = os.read(self.inp, 1 << 20)
            if not chunk:
                raise RuntimeError("the browser ended")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, event: dict) -> None:
        """Keeps what went wrong in the page, and what it asked the network for."""
        parameters = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(parameters["exceptionDetails"])[:600])
            case "Runtime.consoleAPICalled" if parameters["type"] in ("error", "warning"):
                self.errors.append(str([a.get("value", a.get("description")) for a in parameters["args"]]))
            case "Log.entryAdded" if parameters["entry"]["level"] in ("error", "warning"):
                self.errors.append(parameters["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])

    def call(self, method: str, **parameters) -> dict:
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def run(self, script: str):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:600])
        return answer["result"].get("value")

    def open(self, url: str) -> None:
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && document.documentElement.dataset.ready === 'true'")

    def close(self) -> None:
        """Leaves the page, its errors and its requests, so that the next one is opened as by a new browser."""
        self.call("Page.navigate", url="about:blank")
        self.wait("location.href === 'about:blank'")
        self.errors.clear()
        self.requests.clear()
        self.show()

    def wait(self, condition: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not self.run(condition):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition}; errors: {self.errors}")
            time.sleep(0.05)

    def type(self, selector: str, text: str) -> None:
        """Replaces a field's content as a person would: focus, select all, type."""
        self.run(f"(() => {{ const f = document.querySelector({selector!r}); f.focus(); f.select(); }})()")
        self.call("Input.insertText", text=text)

    def screenshot(self, path: Path, whole: bool = False) -> None:
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))
