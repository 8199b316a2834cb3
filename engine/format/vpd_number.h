/* Inside the module: decimal numbers in texts, the same in every locale. */
#ifndef MMD_VPD_NUMBER_H
#define MMD_VPD_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum { VPD_NUMBER_MAX = 64 };

/*
 * Reads [+-] digits [. digits] [e [+-] digits], with a digit on at least one
 * side of the point. Gives the number of bytes read, 0 where there is no
 * number. Too large for a float: an infinity.
 */
size_t vpd_number_parse(const uint8_t *text, size_t size, float *value);

/*
 * Writes a finite number without an exponent: nine significant digits, which
 * name every float, and at least six behind the point. Returns text.
 */
char *vpd_number_format(float value, char text[VPD_NUMBER_MAX]);

#endif
