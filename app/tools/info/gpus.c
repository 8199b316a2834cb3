/* odori info --gpus: lists what can draw without a window. */
#include <stdio.h>

#include "base/emit.h"
#include "base/message.h"
#include "info.h"
#include "mmd/gpu_objects.h"

enum { GPUS_MAX = 16 };

static void write_json(const mmd_gpu_device *gpus, size_t count)
{
    emitter json = {.out = stdout};
    emit_open(&json, '{');
    emit_key(&json, "gpus");
    emit_open(&json, '[');
    for (size_t i = 0; i < count; i++) {
        emit_open(&json, '{');
        emit_member_whole(&json, "number", (int64_t)i);
        emit_member_bool(&json, "software", gpus[i].software);
        emit_member_text(&json, "name", gpus[i].name);
        emit_member_text(&json, "version", gpus[i].version);
        emit_member_text(&json, "file", gpus[i].file);
        if (*gpus[i].problem)
            emit_member_text(&json, "problem", gpus[i].problem);
        emit_close(&json, '}');
    }
    emit_close(&json, ']');
    emit_close(&json, '}');
    putchar('\n');
}

static void write_text(const mmd_gpu_device *gpus, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *kind = gpus[i].software ? "software" : *gpus[i].file ? gpus[i].file : "GPU";
        if (*gpus[i].problem)
            printf("%zu  (%s): cannot be used: %s\n", i, kind, gpus[i].problem);
        else
            printf("%zu  %s (%s): OpenGL %s\n", i, gpus[i].name, kind, gpus[i].version);
    }
}

int info_gpus(bool as_json)
{
    mmd_gpu_device gpus[GPUS_MAX];
    const size_t count = mmd_gpu_list_devices(gpus, GPUS_MAX);
    if (as_json)
        write_json(gpus, count);
    else
        write_text(gpus, count);
    if (count == 0)
        message("OpenGL's driver lists no GPUs (EGL_EXT_platform_device)");
    if (fflush(stdout) == 0 && !ferror(stdout))
        return count ? EXIT_DONE : EXIT_FACILITY;
    message("stdout: cannot be written");
    return EXIT_FACILITY;
}
