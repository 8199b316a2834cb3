/* Defaults of AddressSanitizer for all targets. ASAN_OPTIONS and LSAN_OPTIONS override them. */
const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);

/* A larger block, in MiB, is out of memory, as on a small machine, so that no time is lost in clearing it. */
#define BLOCK_MAX_MIB "64"

/* Short stack traces of allocations and a small quarantine of freed memory make small inputs several times as
 * fast. */
const char *__asan_default_options(void)
{
    return "malloc_context_size=4:quarantine_size_mb=4:thread_local_quarantine_size_kb=64:"
           "allocator_may_return_null=1:max_allocation_size_mb=" BLOCK_MAX_MIB;
}

/* libsndfile 1.2 loses libvorbis's and libopus's state when it refuses a file. */
const char *__lsan_default_suppressions(void)
{
    return "leak:vorbis_\nleak:ogg_\n";
}
