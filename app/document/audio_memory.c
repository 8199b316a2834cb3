/* A pair is known by a hash over the motions' files and the beginning of the sound's, with its size: that is
 * enough to tell songs apart, and a long one is not read for it. */
#include "audio_memory.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "audio.h"
#include "document.h"
#include "files/hashes.h"
#include "preferences.h"

enum { SOUND_LOOKED_AT = 1 << 16 };

static void add_sound(digest_stream *stream, const char *path)
{
    static const char none = 0;
    char bytes[4096];
    struct stat status = {.st_size = 0};
    FILE *file = fopen(path, "rb");
    if (!file) { /* in an archive */
        digest_add_text(stream, path);
        return;
    }
    fstat(fileno(file), &status);
    long long size = (long long)status.st_size;
    digest_add(stream, &size, sizeof size);
    for (size_t got, sum = 0; sum < SOUND_LOOKED_AT && (got = fread(bytes, 1, sizeof bytes, file)) > 0;
         sum += got)
        digest_add(stream, bytes, got);
    digest_add(stream, &none, 1);
    fclose(file);
}

static digest pair_of(const odori_session *s)
{
    size_t dances = 0;
    digest_stream stream = digest_begin();
    for (size_t i = 0; i < s->scene->motion_count; i++) {
        if (!motion_is_for_models(s->scene->motions[i].motion))
            continue;
        digest hash = file_digest(s->scene->motions[i].path);
        digest_add_text(&stream, hash.text);
        dances++;
    }
    if (*audio_path(document_of(s)->audio))
        add_sound(&stream, audio_path(document_of(s)->audio));
    digest pair = digest_end(&stream);
    return dances && *audio_path(document_of(s)->audio) ? pair : (digest){""};
}

static void name_state(const digest *pair, char name[64])
{
    snprintf(name, 64, "sounds/%s", pair->text);
}

/* Of the pair that it was found for: another may be there by now. */
static void write_offset(audio_memory *m)
{
    char name[64];
    if (!m->pair.text[0] || m->now == m->offset)
        return;
    name_state(&m->pair, name);
    preferences_keep_offset(name, m->now);
    m->offset = m->now;
}

static const void *last_motion(const odori_scene *scene)
{
    return scene->motion_count ? scene->motions[scene->motion_count - 1].motion : NULL;
}

/* As many motions to the same sound are those of before: one was edited, and read again. */
static bool is_reload(const audio_memory *m, const odori_session *s)
{
    return m->begun && m->opened == audio_opened(document_of(s)->audio) && m->motion_count == s->scene->motion_count;
}

static bool is_the_same(const audio_memory *m, const odori_session *s)
{
    return is_reload(m, s) && m->motions == last_motion(s->scene);
}

void audio_memory_follow(audio_memory *m, odori_session *s)
{
    char name[64];
    if (!s->remembers || !document_of(s)->audio)
        return;
    if (is_the_same(m, s)) {
        m->now = audio_offset(document_of(s)->audio);
        return;
    }
    bool keeps_given = !m->begun && m->given;
    digest pair = pair_of(s);
    if (!digest_equal(&pair, &m->pair)) {
        write_offset(m);
        name_state(&pair, name);
        if (pair.text[0] && !keeps_given && !preferences_find_offset(s, name) && m->begun && !is_reload(m, s))
            audio_set_offset(document_of(s)->audio, 0); /* the last pair's says nothing of this one */
    }
    *m = (audio_memory){.opened = audio_opened(document_of(s)->audio),
                        .motions = last_motion(s->scene),
                        .motion_count = s->scene->motion_count,
                        .pair = pair,
                        .offset = audio_offset(document_of(s)->audio),
                        .now = audio_offset(document_of(s)->audio),
                        .begun = true};
}

void audio_memory_keep(audio_memory *m, odori_session *s)
{
    if (!s->remembers || !document_of(s)->audio)
        return;
    audio_memory_follow(m, s);
    write_offset(m);
}
