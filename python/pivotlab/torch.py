# SPDX-License-Identifier: BSD-3-Clause
"""The solvers as functions of PyTorch's tensors that have gradients, of any order, on the host and on a GPU.

    w, U = pivotlab.torch.eigh(A)          pivotlab.torch.eigvalsh(A)
    U, s, Vh = pivotlab.torch.svd(A)       pivotlab.torch.svdvals(A)
    w, V = pivotlab.torch.eig(A)           pivotlab.torch.solve(A, B)

docs/reference/torch.md has the formulas. Sources: M. B. Giles, An extended collection of matrix derivative results
(2008); M. Seeger et al., Auto-differentiating linear algebra (2017); Z.-Q. Wan and S.-X. Zhang, Automatic
differentiation for complex valued SVD (2019).
"""

from __future__ import annotations

import math
import warnings
from typing import Any, Literal, NamedTuple

try:
    import torch
except ImportError as error:
    raise ImportError(f"pivotlab.torch: needs PyTorch, which cannot be imported ({error}); install torch") from None

from . import _eig, _eigh, _ldlt, _svd
from ._arrays import _caller
from ._core import InputError
from .typing import Symmetry

Tensor = torch.Tensor


class GradientWarning(UserWarning):
    """A gradient has lost more than half of the digits: its condition exceeds 1/sqrt(eps)."""


class Eigenpairs(NamedTuple):
    eigenvalues: Tensor
    """(…, n)."""
    eigenvectors: Tensor
    """(…, n, n), in columns."""


class Svd(NamedTuple):
    U: Tensor
    """(…, m, k), k = min(m, n)."""
    S: Tensor
    """(…, k), descending."""
    Vh: Tensor
    """(…, k, n)."""


def gradient_condition(values: Tensor) -> Tensor:
    """Return max|λ|/min|λᵢ − λⱼ| of values (…, n), shape (…): the factor by which relative errors of the matrix grow in
    the gradient of its vectors. It is infinite for equal values and 0 for one value."""
    values = values.detach()
    n = values.shape[-1]
    if n < 2:
        return torch.zeros(values.shape[:-1], dtype=values.abs().dtype, device=values.device)
    gaps = (values.unsqueeze(-1) - values.unsqueeze(-2)).abs() + torch.diag(
        torch.full((n,), math.inf, dtype=values.abs().dtype, device=values.device)
    )
    least = gaps.amin((-2, -1))
    return torch.where(least == 0, math.inf, values.abs().amax(-1) / least)


def eigh(A: Tensor, *, variant: str | None = None, threads: int = 0) -> Eigenpairs:
    """Compute eigenvalues, descending, and eigenvectors of Hermitian A (…, n, n) by pivotlab.eigh, which says what is
    refused. Both triangles must agree, and the gradient is Hermitian.

    backward() raises InputError where eigenvectors have a gradient and eigenvalues are equal, or where it depends on
    the phases of complex vectors.
    """
    return Eigenpairs(*_Eigh.apply(A, _options(variant, threads)))


def eigvalsh(A: Tensor, *, variant: str | None = None, threads: int = 0) -> Tensor:
    """Compute the eigenvalues (…, n) of Hermitian A (…, n, n), descending. Their gradient always exists in the sense of
    eigh()'s vectors: of equal ones only that of symmetric functions is unique."""
    return eigh(A, variant=variant, threads=threads).eigenvalues


def svd(A: Tensor, *, variant: str | None = None, threads: int = 0) -> Svd:
    """Compute A = U·diag(S)·Vh for A (…, m, n) by pivotlab.svd.

    backward() raises InputError where vectors have a gradient and values are equal, or zero if U or V is not square or
    A is complex, and where it depends on the common phases of complex vectors.
    """
    return Svd(*_Svd.apply(A, _options(variant, threads)))


def svdvals(A: Tensor, *, variant: str | None = None, threads: int = 0) -> Tensor:
    """Compute the singular values (…, min(m, n)) of A (…, m, n), descending."""
    return svd(A, variant=variant, threads=threads).S


def eig(A: Tensor, *, variant: str | None = None, threads: int = 0) -> Eigenpairs:
    """Compute complex eigenvalues, by descending modulus, and eigenvectors of norm 1 of A (…, n, n) by pivotlab.eig.

    backward() warns also where an eigenvalue's condition number exceeds 1/sqrt(eps), and raises torch.linalg's error
    for a defective matrix, InputError as that of eigh().
    """
    return Eigenpairs(*_Eig.apply(A, _options(variant, threads)))


def solve(
    A: Tensor, B: Tensor, *, symmetry: Symmetry = "hermitian", variant: str | None = None, threads: int = 0
) -> Tensor:
    """Compute A⁻¹·B by pivotlab.ldlt for Hermitian A (…, n, n), or complex symmetric A with symmetry="symmetric", and B
    (…, n, k) or (n). Leading axes broadcast. The gradient with respect to A has the symmetry of A. Raises InputError
    for a singular A."""
    columns = (B.unsqueeze(-1) if B.ndim == 1 else B).to(torch.promote_types(A.dtype, B.dtype))
    stack = torch.broadcast_shapes(A.shape[:-2], columns.shape[:-2])
    A = A.expand(*stack, *A.shape[-2:])
    columns = columns.expand(*stack, *columns.shape[-2:])
    factors = _ldlt.ldlt(_plain(A), symmetry=symmetry, **_options(variant, threads))
    X = _Solve.apply(A, columns, factors, "mH" if symmetry == "hermitian" else "mT")
    return X.squeeze(-1) if B.ndim == 1 else X


class _Eigh(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, A: Tensor, options: dict[str, Any]) -> tuple[Tensor, Tensor]:
        result = _eigh.eigh(_plain(A), **options)
        values, U = result.eigenvalues, result.U
        ctx.save_for_backward(values, U)
        ctx.set_materialize_grads(False)
        return values, U

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, None]:
        values, U = ctx.saved_tensors
        inner = _of_pairs(values, U, *gradients, hermitian=True)
        return None if inner is None else _symmetric(U @ inner @ U.mH, "mH"), None


class _Eig(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, A: Tensor, options: dict[str, Any]) -> tuple[Tensor, Tensor]:
        plain = _plain(A)
        single = [plain] if A.ndim == 2 or not A.is_cuda else list(plain.reshape(-1, *A.shape[-2:]))
        results = [_eig.eig(M, **options) for M in single]  # a GPU has no kernel for stacks of them
        kind = torch.promote_types(A.dtype, torch.complex64)
        values = torch.stack([r.eigenvalues.to(kind) for r in results]).reshape(A.shape[:-1])
        V = torch.stack([r.V.to(kind) for r in results]).reshape(A.shape)
        ctx.save_for_backward(values, V)
        ctx.set_materialize_grads(False)
        ctx.is_real = not A.is_complex()
        return values, V

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, None]:
        values, V = ctx.saved_tensors
        inner = _of_pairs(values, V, *gradients, hermitian=False)
        if inner is None:
            return None, None
        W = torch.linalg.inv(V).mH
        _report(torch.linalg.vector_norm(W.detach(), dim=-2), "an eigenvalue's condition number")
        gradient = W @ inner @ V.mH
        return (gradient.real if ctx.is_real else gradient), None


class _Svd(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, A: Tensor, options: dict[str, Any]) -> tuple[Tensor, Tensor, Tensor]:
        result = _svd.svd(_plain(A), **options)
        outputs = result.U, result.sigma, result.V.mH.resolve_conj()
        ctx.save_for_backward(*outputs)
        ctx.set_materialize_grads(False)
        return outputs

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, None]:
        U, S, Vh = ctx.saved_tensors
        gU, gS, gVh = gradients
        if gU is None and gVh is None:
            return (None if gS is None else (U * gS.unsqueeze(-2)) @ Vh), None
        k = S.shape[-1]
        left, right = gU is not None and U.shape[-2] > k, gVh is not None and Vh.shape[-1] > k
        divides = left or right or (U.is_complex() and gU is not None)
        zero = S.new_zeros((*S.shape[:-1], 1))
        _report(gradient_condition(torch.cat((S, zero), -1) if divides else S), "the condition by singular values")
        of_u = _skew(U.mH @ gU) if gU is not None else torch.zeros_like(U[..., :k, :])
        of_v = _skew(Vh @ gVh.mH) if gVh is not None else torch.zeros_like(of_u)
        if U.is_complex():
            _refuse_phases((of_u + of_v).diagonal(dim1=-2, dim2=-1), gU, gVh)
        row, column = S.unsqueeze(-2), S.unsqueeze(-1)
        inner = (of_u * row + column * of_v) / _off_diagonal((row - column) * (row + column))
        if gS is not None:
            inner = inner + torch.diag_embed(gS)
        if U.is_complex() and gU is not None:
            inner = inner + torch.diag_embed(of_u.diagonal(dim1=-2, dim2=-1) / (2 * S))
        gradient = U @ inner @ Vh
        if left:
            scaled = gU / row
            gradient = gradient + (scaled - U @ (U.mH @ scaled)) @ Vh
        if right:
            scaled = gVh / column
            gradient = gradient + U @ (scaled - (scaled @ Vh.mH) @ Vh)
        return gradient, None


class _Solve(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, A: Tensor, B: Tensor, factors: Any, star: Literal["mH", "mT"]) -> Tensor:
        X = factors.solve(_plain(B))
        ctx.save_for_backward(A, X)
        ctx.factors, ctx.star = factors, star
        return X

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, Tensor, None, None]:
        A, X = ctx.saved_tensors
        (gX,) = gradients
        if ctx.star == "mT":  # A⁻ᴴ is the conjugate of A⁻¹
            gB = _Solve.apply(A, gX.conj(), ctx.factors, ctx.star).conj()
        else:
            gB = _Solve.apply(A, gX, ctx.factors, ctx.star)
        gA = _symmetric(-gB @ X.mH, ctx.star) if ctx.needs_input_grad[0] else None
        return gA, gB, None, None


def _of_pairs(values: Tensor, V: Tensor, gL: Tensor | None, gV: Tensor | None, hermitian: bool) -> Tensor | None:
    """The gradient in the basis of the vectors: diag(gL) + (Vᴴ·gV)∘1/conj(λⱼ − λᵢ), without the part of gV along
    vectors whose norm is 1; None without a gradient."""
    if gV is None:
        return None if gL is None else torch.diag_embed(gL).to(V.dtype)
    _report(gradient_condition(values), "the condition by eigenvalues")
    product = V.mH @ gV
    diagonal = product.diagonal(dim1=-2, dim2=-1)
    if V.is_complex():
        _refuse_phases(diagonal.imag, gV)
    if not hermitian:
        product = product - (V.mH @ V) * diagonal.real.unsqueeze(-2)
    gaps = (values.unsqueeze(-2) - values.unsqueeze(-1)).conj()
    inner = product / _off_diagonal(gaps)
    inner = inner - torch.diag_embed(inner.diagonal(dim1=-2, dim2=-1))
    return inner if gL is None else inner + torch.diag_embed(gL)


def _off_diagonal(gaps: Tensor) -> Tensor:
    """The differences with ones on the diagonal."""
    return gaps + torch.eye(gaps.shape[-1], dtype=gaps.dtype, device=gaps.device)


def _report(condition: Tensor, name: str) -> None:
    """Warns of a condition above 1/sqrt(eps). Raises InputError if it is infinite."""
    worst = float(condition.max()) if condition.numel() else 0.0
    if math.isinf(worst):
        raise InputError(f"gradient: {name} is infinite, for equal or zero values; take no gradient of vectors")
    if worst > torch.finfo(condition.dtype).eps ** -0.5:
        warnings.warn(f"gradient: {name} is {worst:.1e}", GradientWarning, stacklevel=_caller())


def _refuse_phases(along: Tensor, *gradients: Tensor | None) -> None:
    """Raises InputError for gradients with a part along i·v of a vector v."""
    largest = max((float(g.detach().abs().max()) for g in gradients if g is not None and g.numel()), default=0.0)
    if along.numel() and float(along.detach().abs().max()) > torch.finfo(along.dtype).eps ** 0.5 * largest:
        raise InputError("gradient: it depends on the phases of vectors, which are arbitrary; take |v| or v·vᴴ")


def _skew(M: Tensor) -> Tensor:
    return M - M.mH


def _symmetric(M: Tensor, star: Literal["mH", "mT"]) -> Tensor:
    return (M + getattr(M, star)) / 2


def _plain(A: Tensor) -> Tensor:
    """The tensor without gradient and lazy conjugation."""
    return A.detach().resolve_conj().resolve_neg()


def _options(variant: str | None, threads: int) -> dict[str, Any]:
    return {"threads": threads} | ({} if variant is None else {"variant": variant})
