// SPDX-License-Identifier: BSD-3-Clause
// No code: the target whose precompiled headers all tests use.
