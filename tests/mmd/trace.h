/*
 * Logs what MMD computes: its calls of D3DX's mathematics and of the C runtime, one line each:
 *
 *   NAME THREAD CALL_SITE | first argument | second argument | result
 *
 * For a d3d9.dll in MMD's folder that passes Direct3D on (front.c of the runner that record.sh names):
 * include this file, call trace_start(path) when the library is loaded, and switch trace_on for the pictures
 * of interest, which are tens of thousands of lines each. The call site is an offset in MMD's program, so it
 * tells steps apart. Build with x86_64-w64-mingw32-gcc. docs/mmd.md 4 was measured with it.
 */
#include <stdio.h>
#include <string.h>
#include <windows.h>

static FILE *trace_file;
static int trace_on;
static CRITICAL_SECTION trace_lock;
static char *trace_base;

static int trace_numbers(char *out, size_t size, const float *numbers, int count)
{
    int used = snprintf(out, size, " |");
    for (int i = 0; i < count; i++)
        used += snprintf(out + used, size - (size_t)used, " %.9g", (double)numbers[i]);
    return used;
}

static void trace_line(const char *name, void *site, const float *a, int a_count, const float *b, int b_count,
                       const float *result, int result_count)
{
    char text[1200];
    int used;
    if (!trace_on)
        return;
    used = snprintf(text, sizeof text, "%s %lx %x", name, GetCurrentThreadId(),
                    (unsigned)((char *)site - trace_base));
    used += trace_numbers(text + used, sizeof text - (size_t)used, a, a_count);
    used += trace_numbers(text + used, sizeof text - (size_t)used, b, b_count);
    used += trace_numbers(text + used, sizeof text - (size_t)used, result, result_count);
    text[used++] = '\n';
    EnterCriticalSection(&trace_lock);
    fwrite(text, 1, (size_t)used, trace_file);
    LeaveCriticalSection(&trace_lock);
}

/* Functions of one array, of two arrays, of an angle and of one or two numbers. Results may lie in the
 * arguments. */
#define TRACE_ONE(name, from, to)                                                                            \
    static float *(WINAPI * real_##name)(float *, const float *);                                            \
    static float *WINAPI traced_##name(float *out, const float *a)                                           \
    {                                                                                                        \
        float x[16];                                                                                         \
        memcpy(x, a, (from) * sizeof *x);                                                                    \
        real_##name(out, a);                                                                                 \
        trace_line(#name, __builtin_return_address(0), x, from, NULL, 0, out, to);                           \
        return out;                                                                                          \
    }
#define TRACE_TWO(name, first, second, to)                                                                   \
    static float *(WINAPI * real_##name)(float *, const float *, const float *);                             \
    static float *WINAPI traced_##name(float *out, const float *a, const float *b)                           \
    {                                                                                                        \
        float x[16], y[16];                                                                                  \
        memcpy(x, a, (first) * sizeof *x);                                                                   \
        memcpy(y, b, (second) * sizeof *y);                                                                  \
        real_##name(out, a, b);                                                                              \
        trace_line(#name, __builtin_return_address(0), x, first, y, second, out, to);                        \
        return out;                                                                                          \
    }
#define TRACE_ANGLE(name)                                                                                    \
    static float *(WINAPI * real_##name)(float *, float);                                                    \
    static float *WINAPI traced_##name(float *out, float angle)                                              \
    {                                                                                                        \
        real_##name(out, angle);                                                                             \
        trace_line(#name, __builtin_return_address(0), &angle, 1, NULL, 0, out, 16);                         \
        return out;                                                                                          \
    }
#define TRACE_NUMBER(name)                                                                                   \
    static float (*real_##name)(float);                                                                      \
    static float traced_##name(float x)                                                                      \
    {                                                                                                        \
        float result = real_##name(x);                                                                       \
        trace_line(#name, __builtin_return_address(0), &x, 1, NULL, 0, &result, 1);                          \
        return result;                                                                                       \
    }
TRACE_ONE(D3DXQuaternionNormalize, 4, 4)
TRACE_ONE(D3DXQuaternionInverse, 4, 4)
TRACE_ONE(D3DXVec3Normalize, 3, 3)
TRACE_ONE(D3DXMatrixRotationQuaternion, 4, 16)
TRACE_ONE(D3DXQuaternionRotationMatrix, 16, 4)
TRACE_TWO(D3DXQuaternionMultiply, 4, 4, 4)
TRACE_TWO(D3DXVec3Transform, 3, 16, 4)
TRACE_TWO(D3DXMatrixMultiply, 16, 16, 16)
TRACE_ANGLE(D3DXMatrixRotationX)
TRACE_ANGLE(D3DXMatrixRotationY)
TRACE_ANGLE(D3DXMatrixRotationZ)
TRACE_NUMBER(acosf)
TRACE_NUMBER(asinf)
TRACE_NUMBER(sinf)
TRACE_NUMBER(cosf)

static float *(WINAPI *real_D3DXMatrixTranslation)(float *, float, float, float);
static float *WINAPI traced_D3DXMatrixTranslation(float *out, float x, float y, float z)
{
    float to[3] = {x, y, z};
    real_D3DXMatrixTranslation(out, x, y, z);
    trace_line("D3DXMatrixTranslation", __builtin_return_address(0), to, 3, NULL, 0, NULL, 0);
    return out;
}

static float (*real_atan2f)(float, float);
static float traced_atan2f(float y, float x)
{
    float result = real_atan2f(y, x);
    trace_line("atan2f", __builtin_return_address(0), &y, 1, &x, 1, &result, 1);
    return result;
}

#define TRACED(name)                                                                                         \
    {                                                                                                        \
#name, (void *)traced_##name, (void **)&real_##name                                                  \
    }

/* Opens the file and puts the functions above into the program's table of imports. */
static void trace_start(const char *path)
{
    static const struct {
        const char *name;
        void *to, **real;
    } functions[] = {TRACED(D3DXQuaternionNormalize),
                     TRACED(D3DXQuaternionInverse),
                     TRACED(D3DXVec3Normalize),
                     TRACED(D3DXMatrixRotationQuaternion),
                     TRACED(D3DXQuaternionRotationMatrix),
                     TRACED(D3DXQuaternionMultiply),
                     TRACED(D3DXVec3Transform),
                     TRACED(D3DXMatrixMultiply),
                     TRACED(D3DXMatrixRotationX),
                     TRACED(D3DXMatrixRotationY),
                     TRACED(D3DXMatrixRotationZ),
                     TRACED(D3DXMatrixTranslation),
                     TRACED(acosf),
                     TRACED(asinf),
                     TRACED(sinf),
                     TRACED(cosf),
                     TRACED(atan2f)};
    char *base = trace_base = (char *)GetModuleHandleA(NULL);
    IMAGE_NT_HEADERS *header = (void *)(base + ((IMAGE_DOS_HEADER *)base)->e_lfanew);
    IMAGE_IMPORT_DESCRIPTOR *from = (void *)(base + header->OptionalHeader.DataDirectory[1].VirtualAddress);
    trace_file = fopen(path, "wb");
    InitializeCriticalSection(&trace_lock);
    for (; trace_file && from->Name; from++) {
        IMAGE_THUNK_DATA *names = (void *)(base + from->OriginalFirstThunk),
                         *slots = (void *)(base + from->FirstThunk);
        for (; names->u1.AddressOfData; names++, slots++) {
            const char *name = (char *)((IMAGE_IMPORT_BY_NAME *)(base + names->u1.AddressOfData))->Name;
            if (names->u1.Ordinal >> 63)
                continue;
            for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
                DWORD was;
                void **slot = (void **)&slots->u1.Function;
                if (strcmp(name, functions[i].name) != 0 || *slot == functions[i].to)
                    continue;
                VirtualProtect(slot, sizeof *slot, PAGE_READWRITE, &was);
                *functions[i].real = *slot;
                *slot = functions[i].to;
                VirtualProtect(slot, sizeof *slot, was, &was);
            }
        }
    }
}
