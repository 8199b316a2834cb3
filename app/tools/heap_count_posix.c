/* Allocations are counted by a shared object in LD_PRELOAD (heap_count.h). */
#include "heap_count.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/system.h"
#include "mmd/memory.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HEAP_IS_REPLACED
#endif
#endif
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEAP_IS_REPLACED
#endif

atomic_uint_least64_t *heap_count_find(void)
{
    void *process = dlopen(NULL, RTLD_LAZY);
    atomic_uint_least64_t *calls = process ? dlsym(process, "odori_heap_calls") : NULL;
    if (process)
        dlclose(process);
    return calls;
}

/* Finds the shared object that counts: beside the program, or in ../lib/odori of an installed one. */
static bool find_object(const char *program, char path[MMD_FILE_PATH_MAX])
{
    static const char *const places[] = {"", "../lib/odori/"};
    char folder[MMD_FILE_PATH_MAX];
    mmd_path_folder(program, folder, sizeof folder);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        path_join(path, folder, "%sodori_heap_count.so", places[i]);
        /* Spaces and colons separate names in LD_PRELOAD. */
        if (platform_may_read(path) && !strpbrk(path, " :"))
            return true;
    }
    return false;
}

void heap_count_preload(int argc, char **argv)
{
#ifdef HEAP_IS_REPLACED
    (void)argc, (void)argv, (void)find_object;
#else
    static const char guard[] = "ODORI_HEAP_COUNT";
    char program[MMD_FILE_PATH_MAX], object[MMD_FILE_PATH_MAX], preload[2 * MMD_FILE_PATH_MAX];
    const char *others = getenv("LD_PRELOAD");
    if (getenv(guard) || !system_program_path(program) || !find_object(program, object))
        return;
    int length = snprintf(preload, sizeof preload, "%s%s%s", object, others && *others ? ":" : "",
                          others ? others : "");
    char name[] = "bench", **again = mmd_alloc(((size_t)argc + 3) * sizeof *again);
    if (again && length < (int)sizeof preload && system_set_variable(guard, "1") &&
        system_set_variable("LD_PRELOAD", preload)) {
        again[0] = program;
        again[1] = name;
        memcpy(again + 2, argv, (size_t)argc * sizeof *again);
        again[argc + 2] = NULL;
        execv(program, again);
    }
    mmd_free(again);
#endif
}
