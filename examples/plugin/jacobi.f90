! SPDX-License-Identifier: BSD-3-Clause
! A solver in Fortran: Jacobi's method with cyclic sweeps for real symmetric matrices. The types are those of
! pivotlab/plugin.h.
module jacobi
  use, intrinsic :: iso_c_binding
  implicit none

  type, bind(C) :: matrix
    integer(c_int64_t) :: rows, cols, ld
    type(c_ptr) :: elements
  end type
  type, bind(C) :: outcome
    real(c_double) :: seconds
    type(c_ptr) :: message
    integer(c_int64_t) :: message_size
    type(c_ptr) :: values
    integer(c_int64_t) :: values_size
  end type
  type, bind(C) :: eigh_problem
    integer(c_int64_t) :: is_complex
    type(matrix) :: A
    type(c_ptr) :: stream
  end type
  type, bind(C) :: eigh_result
    type(c_ptr) :: eigenvalues
    type(matrix) :: U
    type(c_ptr) :: estimate
    type(outcome) :: outcome
  end type

contains

  integer(c_int) function solve_eigh(solver, options, problem, result) bind(C, name="pivotlab_solve_eigh")
    character(kind=c_char), intent(in) :: solver(*), options(*)
    type(eigh_problem), intent(in) :: problem
    type(eigh_result), intent(inout) :: result
    real(c_double), pointer :: given(:, :), U(:, :), eigenvalues(:)
    real(c_double), allocatable :: A(:, :)
    real(c_double) :: t, c
    integer :: n, p, q, sweep
    logical :: rotated

    n = int(problem%A%rows)
    call c_f_pointer(problem%A%elements, given, [int(problem%A%ld), n])
    call c_f_pointer(result%U%elements, U, [int(result%U%ld), n])
    call c_f_pointer(result%eigenvalues, eigenvalues, [n])
    result%estimate = c_null_ptr  ! not given
    A = given(:n, :)
    U(:n, :) = 0
    do p = 1, n
      U(p, p) = 1
    end do
    do sweep = 1, most_sweeps(options)
      rotated = .false.
      do p = 1, n - 1
        do q = p + 1, n
          if (abs(A(p, q)) <= epsilon(t) / 2 * sqrt(abs(A(p, p) * A(q, q)))) cycle
          rotated = .true.
          t = (A(q, q) - A(p, p)) / (2 * A(p, q))
          t = sign(1 / (abs(t) + hypot(1d0, t)), t)
          c = 1 / hypot(1d0, t)
          call rotate(A(:, p), A(:, q), c, t * c)
          call rotate(A(p, :), A(q, :), c, t * c)
          call rotate(U(:n, p), U(:n, q), c, t * c)
        end do
      end do
      if (.not. rotated) exit
    end do
    do p = 1, n
      eigenvalues(p) = A(p, p)
    end do
    solve_eigh = merge(2, 0, rotated)
  end function

  subroutine rotate(x, y, c, s)
    real(c_double), intent(inout) :: x(:), y(:)
    real(c_double), intent(in) :: c, s
    real(c_double) :: old(size(x))

    old = x
    x = c * x - s * y
    y = s * old + c * y
  end subroutine

  !> The number behind "sweeps=", with which the options begin.
  integer function most_sweeps(options)
    character(kind=c_char), intent(in) :: options(*)
    integer :: k

    most_sweeps = 0
    k = len("sweeps=") + 1
    do while (options(k) >= "0" .and. options(k) <= "9")
      most_sweeps = 10 * most_sweeps + iachar(options(k)) - iachar("0")
      k = k + 1
    end do
  end function
end module
