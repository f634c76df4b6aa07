# SPDX-License-Identifier: BSD-3-Clause
"""Gradients of pivotlab.torch, against differences and torch.linalg. CI has no PyTorch; they run where it is."""

import subprocess
import sys
import warnings

import pytest

import pivotlab

torch = pytest.importorskip("torch")
import pivotlab.torch as own  # noqa: E402

DEVICE = "cpu"
KINDS = pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])


def random(*shape, dtype=torch.float64, seed=0):
    numbers = torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))
    return numbers.to(DEVICE).requires_grad_()


def hermitian(A):
    return A + A.mH


def projectors(V):
    """v·vᴴ of each column, which does not depend on phases."""
    return torch.einsum("...ik,...jk->...kij", V, V.conj())


def eigh(A):
    w, U = own.eigh(hermitian(A))
    return w, projectors(U)


def svd(A):
    U, s, Vh = own.svd(A)
    return projectors(U), s, projectors(Vh.mH), torch.einsum("...ik,...kj->...kij", U, Vh)


def in_order(w, V):
    """Sorted by a combination of real and imaginary parts: moduli of conjugate values differ by rounding errors."""
    order = (w.real + 10 * w.imag if w.is_complex() else w).argsort(-1)
    return w.gather(-1, order), V.gather(-1, order.unsqueeze(-2).expand(V.shape))


def eig(A):
    w, V = in_order(*own.eig(A))
    return w, projectors(V)


def check(function, *inputs, twice=True):
    assert torch.autograd.gradcheck(function, inputs)
    assert not twice or torch.autograd.gradgradcheck(function, inputs, atol=1e-4)


@KINDS
@pytest.mark.parametrize("stack", [(), (2,)])
def test_eigh(dtype, stack):
    check(eigh, random(*stack, 3, 3, dtype=dtype), twice=not stack)
    check(lambda A: own.eigvalsh(hermitian(A)), random(*stack, 3, 3, dtype=dtype))


@KINDS
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 2)])
def test_svd(dtype, shape):
    check(svd, random(*shape, dtype=dtype), twice=shape == (3, 3))
    check(own.svdvals, random(*shape, dtype=dtype))


@KINDS
@pytest.mark.parametrize("pick", [0, 1, 2])
def test_svd_with_a_gradient_of_one_factor(dtype, pick):
    check(lambda A: svd(A)[pick], random(4, 3, dtype=dtype), twice=False)
    check(lambda A: svd(A)[pick], random(3, 4, dtype=dtype), twice=False)


@KINDS
@pytest.mark.parametrize("stack", [(), (2,)])
def test_eig(dtype, stack):
    check(eig, random(*stack, 3, 3, dtype=dtype), twice=not stack)
    check(lambda A: in_order(*own.eig(A))[0], random(*stack, 3, 3, dtype=dtype))


@KINDS
@pytest.mark.parametrize("shapes", [((3, 3), (3, 2)), ((3, 3), (3,)), ((2, 3, 3), (3, 2)), ((2, 3, 3), (2, 3, 1))])
def test_solve(dtype, shapes):
    A, B = (random(*shape, dtype=dtype, seed=k) for k, shape in enumerate(shapes))
    check(lambda A, B: own.solve(hermitian(A), B), A, B)
    if DEVICE == "cpu" or len(shapes[0]) == 2:
        check(lambda A, B: own.solve(A + A.mT, B, symmetry="symmetric"), A, B)


def gradient(function, A):
    return torch.autograd.grad(function(A), A)[0]


@KINDS
def test_gradients_are_those_of_torch(dtype):
    A, B = random(2, 5, 5, dtype=dtype), random(2, 5, 2, dtype=dtype, seed=1)
    weights = random(5, 5, seed=2).detach()

    def loss(pairs):
        w, V = in_order(*pairs)
        return (w.abs() * weights[0]).sum() + (V.abs() * weights).sum()

    def of_svd(factors):
        U, s, Vh = factors
        return (U.abs() * weights).sum() + (s * weights[0]).sum() + (Vh.abs() * weights).sum()

    for ours, theirs in [
        (lambda A: loss(own.eigh(hermitian(A))), lambda A: loss(torch.linalg.eigh(hermitian(A)))),
        (lambda A: loss(own.eig(A)), lambda A: loss(torch.linalg.eig(A))),
        (lambda A: of_svd(own.svd(A)), lambda A: of_svd(torch.linalg.svd(A))),
        (lambda A: own.solve(hermitian(A), B).abs().sum(), lambda A: torch.linalg.solve(hermitian(A), B).abs().sum()),
    ]:
        torch.testing.assert_close(gradient(ours, A), gradient(theirs, A), rtol=1e-9, atol=1e-9)


def test_single_precision_stays():
    A = random(3, 3).detach().float().cpu().requires_grad_()
    assert gradient(lambda A: own.eigvalsh(hermitian(A))[0], A).dtype == torch.float32
    assert own.eig(A).eigenvalues.dtype == torch.complex64


def with_values(*values):
    Q = torch.linalg.qr(random(len(values), len(values)).detach())[0]
    A = Q * torch.tensor(values, dtype=Q.dtype, device=DEVICE) @ Q.mT
    return ((A + A.mT) / 2).requires_grad_()


def test_near_equal_values_warn():
    A = with_values(1.0, 1.0 + 1e-9, 3.0)
    condition = own.gradient_condition(own.eigvalsh(A))
    assert 2e9 < float(condition) < 4e9
    for function in (own.eigh, own.svd, own.eig):
        vectors = function(A)[0 if function is own.svd else 1]
        with pytest.warns(own.GradientWarning, match="e\\+09"):
            vectors.abs()[0, 0].backward()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch.isfinite(gradient(lambda A: own.eigvalsh(A)[0], A)).all()
        own.eigh(with_values(1.0, 2.0, 3.0))[1].abs()[0, 0].backward()


def test_equal_and_zero_values_are_refused():
    ones = torch.eye(3, dtype=torch.float64, device=DEVICE).requires_grad_()
    for function in (own.eigh, own.svd, own.eig):
        vectors = function(ones)[0 if function is own.svd else 1]
        with pytest.raises(pivotlab.InputError, match="infinite"):
            vectors.abs().sum().backward()
    singular = torch.tensor([[3.0, 0], [0, 0], [0, 0]], dtype=torch.float64, device=DEVICE).requires_grad_()
    U, _, Vh = own.svd(singular)
    with pytest.raises(pivotlab.InputError, match="infinite"):
        U.abs().sum().backward()
    assert torch.isfinite(gradient(lambda A: own.svd(A).Vh[0, 0], singular)).all()


def test_functions_of_phases_are_refused():
    A = random(3, 3, dtype=torch.complex128)
    for vectors in (own.eigh(hermitian(A))[1], own.eig(A)[1], own.svd(A)[0]):
        with pytest.raises(pivotlab.InputError, match="phases"):
            (vectors.real * random(3, 3, seed=3).detach()).sum().backward()


def test_condition_of_values():
    values = torch.tensor([[1.0, 2.0, 4.0], [5.0, 5.0, 1.0]])
    assert own.gradient_condition(values).tolist() == [4.0, float("inf")]
    assert own.gradient_condition(values[:, :1]).tolist() == [0.0, 0.0]


def test_without_pytorch_the_import_says_so():
    code = "import sys; sys.modules['torch'] = None; import pivotlab.torch"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: pivotlab.torch: needs PyTorch" in done.stderr
