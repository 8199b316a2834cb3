/* Names that the command line's contract has and this version has not: they are told apart from mistakes. */
#ifndef ODORI_RESERVED_H
#define ODORI_RESERVED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the name of length bytes is reserved: an option (without dashes) of a
 * subcommand, or with option NULL a subcommand.
 */
bool is_reserved(const char *subcommand, const char *option, size_t length);

#endif
