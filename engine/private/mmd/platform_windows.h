/*
 * What files for Windows share below mmd/platform.h: texts and paths in UTF-16, and the system's errors. Only
 * files whose names end in _windows or _wgl include it.
 */
#ifndef MMD_PLATFORM_WINDOWS_H
#define MMD_PLATFORM_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/source.h"

/* Convert UTF-8. Return a text that the caller frees with mmd_free, or NULL with errno set. */
wchar_t *platform_wide_text(const char *text);
wchar_t *platform_wide_path(const char *path); /* with '\' for '/', as shells and loaders take it */
wchar_t *platform_long_path(const char *path); /* absolute and without a limit of length: "\\?\C:\a" */

/* Converts UTF-16. Returns false with ENAMETOOLONG, or with EILSEQ for halves of characters. */
bool platform_narrow_text(const wchar_t *wide, char *text, size_t capacity);
bool platform_narrow_path(const wchar_t *wide,
                          char path[MMD_FILE_PATH_MAX]); /* tidied (platform_path_tidy) */

/* Sets errno from the system's last error. Returns false. */
bool platform_fail(void);

#endif
