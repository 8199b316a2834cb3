/* Defaults of AddressSanitizer for all targets. ASAN_OPTIONS overrides them. */
const char *__asan_default_options(void);

/* A larger block, in MiB, is out of memory, as on a small machine, so that no time is lost in clearing it. */
#ifndef FUZZ_BLOCK_MAX
#define FUZZ_BLOCK_MAX "64"
#endif

/* Short stack traces of allocations and a small quarantine of freed memory make small inputs several times as
 * fast. */
const char *__asan_default_options(void)
{
    return "malloc_context_size=4:quarantine_size_mb=4:thread_local_quarantine_size_kb=64:"
           "allocator_may_return_null=1:max_allocation_size_mb=" FUZZ_BLOCK_MAX;
}
