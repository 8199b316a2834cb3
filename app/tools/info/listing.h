/*
 * Facts about a file, written as people read them or as JSON: `odori info`
 * says each thing once, in one order, for both.
 */
#ifndef ODORI_FACTS_H
#define ODORI_FACTS_H

#include "base/emit.h"

typedef struct facts {
    bool as_json;
    emitter json;
    int indent;
} facts;

/* A group of facts with a name; JSON: an object. title is what people read. */
void facts_open(facts *f, const char *key, const char *title);
void facts_close(facts *f);

void facts_text(facts *f, const char *key, const char *title, const char *text);
void facts_whole(facts *f, const char *key, const char *title, int64_t value);
void facts_real(facts *f, const char *key, const char *title, double value);
void facts_bool(facts *f, const char *key, const char *title, bool value);

/*
 * A list: JSON an array of texts; for people the number and the texts, nothing
 * where it is empty. count items follow, then the end.
 */
void facts_list_open(facts *f, const char *key, const char *title, size_t count);
void facts_item_text(facts *f, const char *text);
void facts_item(facts *f, const char *format, ...) /* cut at 1,023 bytes */
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void facts_list_close(facts *f);

#endif
