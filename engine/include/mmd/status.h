/*
 * Status codes, and the error that a function reports with them.
 *
 * Mistakes of the caller (NULL where it is not allowed, an index out of range) are asserts. Failures of
 * correct calls (malformed files, missing files, OpenGL errors) are a status with a message for users.
 */
#ifndef MMD_STATUS_H
#define MMD_STATUS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One line per code: name and text. Tests check codes, people read texts. */
#define MMD_STATUS_LIST(X)                                                                                   \
    X(OK, "no error")                                                                                        \
    X(ERROR_IO, "a file cannot be read or written")                                                          \
    X(ERROR_NOT_FOUND, "no such file")                                                                       \
    X(ERROR_MAGIC, "the file has another format")                                                            \
    X(ERROR_VERSION, "the version of the file is not known")                                                 \
    X(ERROR_TRUNCATED, "the data end too early")                                                             \
    X(ERROR_COUNT, "a count is impossible")                                                                  \
    X(ERROR_INDEX, "an index is out of range")                                                               \
    X(ERROR_VALUE, "a value is out of its range")                                                            \
    X(ERROR_TEXT, "a text cannot be decoded or encoded")                                                     \
    X(ERROR_SYNTAX, "the text does not follow its grammar")                                                  \
    X(ERROR_UNSUPPORTED, "the data use something that is not supported")                                     \
    X(ERROR_LIMIT, "something exceeds a limit")                                                              \
    X(ERROR_MEMORY, "out of memory")                                                                         \
    X(ERROR_NO_CONTEXT, "no OpenGL context can be created")                                                  \
    X(ERROR_GL, "OpenGL reported an error")                                                                  \
    X(ERROR_ARGUMENT, "the request does not match the available data")                                       \
    X(ERROR_REFUSED, "a file names another that it may not")

typedef enum mmd_status {
#define MMD_STATUS_ENUM(name, text) MMD_##name,
    MMD_STATUS_LIST(MMD_STATUS_ENUM)
#undef MMD_STATUS_ENUM
        MMD_STATUS_COUNT
} mmd_status;

/* Returns the code's text, never NULL; "unknown status" for a value outside the enum. May be called from any
 * thread. */
const char *mmd_status_text(mmd_status status);

/* Returns the code's name as in the enum ("MMD_ERROR_IO"), never NULL. May be called from any thread. */
const char *mmd_status_name(mmd_status status);

enum { MMD_ERROR_FILE_MAX = 256, MMD_ERROR_SECTION_MAX = 64, MMD_ERROR_MESSAGE_MAX = 256 };

/* The offset of an error that has no byte offset. */
#define MMD_NO_OFFSET UINT64_MAX

/*
 * What went wrong and where. Functions that can fail take a pointer to an error (NULL is always allowed) and
 * set it only if they fail.
 */
typedef struct mmd_error {
    mmd_status code;
    uint64_t offset;                     /* byte offset in the file, or MMD_NO_OFFSET */
    char file[MMD_ERROR_FILE_MAX];       /* name of the file, or "" */
    char section[MMD_ERROR_SECTION_MAX]; /* part of the file ("bone 17"), or "" */
    char message[MMD_ERROR_MESSAGE_MAX]; /* a clause in English without full stop: "an index of 70000 where
                                            there are 12 bones" */
} mmd_error;

/*
 * Sets error (NULL: does nothing) with a printf-style message and returns code. The file is left "" for
 * mmd_error_set_file.
 */
mmd_status mmd_error_set(mmd_error *error, mmd_status code, const char *section, uint64_t offset,
                         const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 5, 6)))
#endif
    ;
mmd_status mmd_error_set_v(mmd_error *error, mmd_status code, const char *section, uint64_t offset,
                           const char *format, va_list arguments);

/* Sets error to MMD_ERROR_MEMORY with the message "out of memory" and returns it. */
mmd_status mmd_error_memory(mmd_error *error);

/* Sets the file of an error that has none. error may be NULL. */
void mmd_error_set_file(mmd_error *error, const char *file);

/*
 * Writes the error as one sentence ("a.pmx: bone 17 at byte 1234: …") to text, cut at capacity bytes and
 * terminated. Control characters are escaped, so the text is safe for a terminal. Returns text.
 */
char *mmd_error_sentence(const mmd_error *error, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
