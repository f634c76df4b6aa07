// No code: the target whose precompiled headers all tests use.
