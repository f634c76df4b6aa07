"""With PyTorch and a GPU in one process. Run on a GPU machine: python -m pytest python/tests/gpu"""

import pytest

import pivotlab

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch has no GPU")


def test_a_sweep_runs_after_a_call_on_the_gpu(tmp_path):
    x = torch.ones(1000, device="cuda")
    assert x.sum().item() == 1000  # this process has a context now, which a fork would break
    run = pivotlab.sweep("gsvd", n=64, backend=["cuda", "host"], out=tmp_path / "s", progress=False)
    assert run.status == {"passed": 2}
    assert x.sum().item() == 1000


def test_the_cuda_backend_works_beside_pytorch():
    F = torch.randn(100, 64, dtype=torch.float64)
    G = torch.randn(100, 64, dtype=torch.float64)
    torch.cuda.synchronize()
    r = pivotlab.gsvd(F, G, backend="cuda")
    assert pivotlab.judge((F, G), r).passed
    assert torch.ones(10, device="cuda").sum().item() == 10


def test_a_tensor_on_the_gpu_is_refused_with_a_remedy():
    with pytest.raises(pivotlab.NotSupported, match=r"tensor.cpu\(\)"):
        pivotlab.ldlt(torch.eye(3, dtype=torch.float64, device="cuda"))
