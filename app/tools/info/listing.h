/*
 * Writes facts about a file as text or as JSON. `odori info` lists each fact once, in one order, for both.
 */
#ifndef ODORI_FACTS_H
#define ODORI_FACTS_H

#include "base/emit.h"

typedef struct facts {
    bool as_json;
    emitter json;
    int indent; /* of text, in columns */
} facts;

/* Begin and end a group of facts: an object in JSON, indented lines under title in text. */
void facts_open(facts *f, const char *key, const char *title);
void facts_close(facts *f);

/* Write a fact under its key in JSON or its title in text. Empty texts are left out of text. */
void facts_text(facts *f, const char *key, const char *title, const char *text);
void facts_whole(facts *f, const char *key, const char *title, int64_t value);
void facts_real(facts *f, const char *key, const char *title, double value);
void facts_bool(facts *f, const char *key, const char *title, bool value);

/*
 * Begin a list, write its count items, and end it. In JSON it is an array of strings. In text it is the count and an
 * item per line, or nothing when it is empty.
 */
void facts_list_open(facts *f, const char *key, const char *title, size_t count);
void facts_item_text(facts *f, const char *text);
void facts_item(facts *f, const char *format, ...) /* cut at 1023 bytes */
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;
void facts_list_close(facts *f);

#endif
