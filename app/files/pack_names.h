/* Names of files in archives: what they are written in, and that they stay inside. */
#ifndef ODORI_PACK_NAMES_H
#define ODORI_PACK_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/source.h"

/* Whether a text is UTF-8 as Unicode defines it: nothing overlong, no surrogates. */
bool pack_name_is_utf8(const char *text);

/*
 * The name of a file as the program uses it: from CP932 where cp932 says so
 * (else it is UTF-8 already), `\` as `/`, without drive letter, leading and
 * doubled `/`, `.` and followed `..`. False: it leads out of the archive, names
 * nothing, or takes more than MMD_PATH_MAX bytes.
 */
bool pack_name_clean(const char *name, bool cp932, char clean[MMD_PATH_MAX]);

#endif
