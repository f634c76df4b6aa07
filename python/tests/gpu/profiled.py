# SPDX-License-Identifier: BSD-3-Clause
"""Copies between GPU and host, as PyTorch's profiler sees them."""

import json

import pytest
import torch


def bytes_through_host(call, folder):
    """The sizes of the copies during a call. Skips the test if the profiler sees none."""
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        call()
        torch.cuda.synchronize()
    profile.export_chrome_trace(str(folder / "trace.json"))
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    copies = [event for event in events if event.get("cat") == "gpu_memcpy"]
    through_host = [e["args"]["bytes"] for e in copies if "HtoD" in e["name"] or "DtoH" in e["name"]]
    if not through_host:
        pytest.skip("the profiler sees no copies")
    print(f"\n{len(through_host)} copies between GPU and host, {sum(through_host)} bytes, largest {max(through_host)}")
    return through_host
