/* Reads and writes preferences: settings, state of models, audio offsets and recent files. Settings and state
 * are command lines, of which only harmless commands are run. */
#include "preferences.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audio.h"
#include "base/message.h"
#include "base/output.h"
#include "base/parse.h"
#include "base/system.h"
#include "base/tokenize.h"
#include "command/commands.h"
#include "document.h"
#include "edit/state_lines.h"
#include "files/hashes.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/simulation.h"
#include "mmd/source.h"

/* Limits in bytes: of a file of preferences, and of what is hashed of an audio file. */
enum { PREFERENCES_SIZE_MAX = 1 << 20, SOUND_LOOKED_AT = 1 << 16 };

/* Writes the path of a file in one of the user's folders. Returns false when there is none. */
static bool find_file(system_folder kind, const char *name, char path[MMD_FILE_PATH_MAX])
{
    char folder[MMD_FILE_PATH_MAX];
    return system_find_folder(kind, folder) &&
           snprintf(path, MMD_FILE_PATH_MAX, "%s/odori/%s", folder, name) < MMD_FILE_PATH_MAX;
}

bool preferences_make_folders(const char *path)
{
    char folder[MMD_FILE_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *c = folder + platform_path_root(folder); (c = strchr(c, '/')); c++) {
        *c = '\0';
        if (!platform_make_folder(folder, 0700) && errno != EEXIST)
            return false;
        *c = '/';
    }
    return true;
}

/* Reads a file and writes its path. Returns empty bytes when it cannot be read. */
static mmd_bytes read_file(system_folder kind, const char *name, char path[MMD_FILE_PATH_MAX])
{
    mmd_bytes bytes = {0};
    platform_info about;
    if (find_file(kind, name, path) && platform_stat(path, &about) && about.size <= PREFERENCES_SIZE_MAX)
        mmd_file_read(path, &bytes, NULL);
    return bytes;
}

/* Writes a file. Something else in its place stays: a pipe would be waited for. */
static void write_file(system_folder kind, const char *name, const mmd_buffer *text)
{
    char path[MMD_FILE_PATH_MAX];
    platform_info about;
    if (text->failed || !find_file(kind, name, path) ||
        (platform_stat(path, &about) && about.kind != PLATFORM_FILE))
        return;
    if (preferences_make_folders(path))
        output_write(path, text->data, text->size);
}

/* Creates an empty file in the state folder, with a number appended if necessary, so that no other player
 * takes the same name. */
static bool take_free(const char *stem, const char *ending, char path[MMD_FILE_PATH_MAX])
{
    enum { TRIES = 1000 };
    char name[MMD_FILE_PATH_MAX];
    for (int i = 1; i <= TRIES; i++) {
        int length = i == 1 ? snprintf(name, sizeof name, "%s.%s", stem, ending)
                            : snprintf(name, sizeof name, "%s %d.%s", stem, i, ending);
        if (length >= (int)sizeof name || !find_file(SYSTEM_STATE, name, path) ||
            !preferences_make_folders(path))
            return false;
        int file = platform_open(path, PLATFORM_WRITE | PLATFORM_NEW, 0666);
        if (file >= 0)
            return close(file) == 0;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

bool preferences_find_state(const char *name, char path[MMD_FILE_PATH_MAX])
{
    return find_file(SYSTEM_STATE, name, path);
}

int preferences_lock(const char *path)
{
    enum { TRIES = 1000 };
    const size_t length = strlen(path);
    const bool is_folder = length && path[length - 1] == '/';
    int file = is_folder ? -1 : platform_open(path, PLATFORM_READ | PLATFORM_NO_LINK, 0);
    bool waits = is_folder || file >= 0;
    for (int i = 0; waits && i < TRIES; i++) {
        bool locked = is_folder ? (file = system_lock_folder(path)) >= 0 : platform_lock(file);
        waits = !locked && errno == EWOULDBLOCK;
        if (waits)
            system_sleep(0.001);
    }
    return file;
}

bool preferences_write_new(const char *stem, const char *ending, const mmd_buffer *bytes, char *path)
{
    if (!take_free(stem, ending, path))
        return false;
    bool written = output_write(path, bytes->data, bytes->size);
    if (!written)
        platform_remove(path);
    return written;
}

/* --- Keys --- */

void preferences_read_bindings(key_bindings *keys)
{
    char path[MMD_FILE_PATH_MAX], why[128];
    mmd_bytes bytes = read_file(SYSTEM_CONFIG, "keys.conf", path);
    size_t bad = bindings_read(keys, (const char *)bytes.data, bytes.size, why, sizeof why);
    if (bad && !keys->told_of_wrong)
        message("%s:%zu: %s", path, bad, why);
    keys->told_of_wrong |= bad > 0;
    mmd_bytes_finish(&bytes);
}

/* --- The state of a model, as command lines --- */

/* The commands that these files may contain. None of them opens files. */
static const char *const model_commands[] = {"morph.set",     "material.show", "model.place", "model.opacity",
                                             "model.visible", "model.shadow",  "physics",     NULL};

/* Appends the morph weights that the user set. Of several morphs of one name only the first can be addressed.
 */
static void write_morphs(const odori_session *s, size_t i, mmd_buffer *out)
{
    const mmd_model *model = s->scene->models[i].model;
    const float *weights = mmd_actor_morphs_by_hand(s->scene->models[i].actor);
    for (uint32_t k = 0; k < model->morph_count; k++) {
        bool is_first = mmd_model_find_morph(model, model->morphs[k].name) == (int32_t)k;
        if (isnan(weights[k]) || !is_first)
            continue;
        mmd_write_format(out, "morph.set ");
        token_quote(model->morphs[k].name, out);
        mmd_write_format(out, " %.9g\n", (double)weights[k]);
    }
}

/* Returns whether a model was moved, turned or scaled. */
static bool is_placed(const mmd_staging *staging)
{
    const mmd_staging plain = mmd_default_staging();
    return memcmp(staging->position, plain.position, sizeof plain.position) != 0 ||
           memcmp(staging->rotation, plain.rotation, sizeof plain.rotation) != 0 ||
           staging->scale != plain.scale;
}

/* Tests whether a model still stands beside others where it was opened, which is no wish of the user. */
static bool is_where_it_was_put(const scene_model *m, const mmd_staging *staging)
{
    mmd_staging usual = mmd_default_staging();
    usual.position[0] = m->beside;
    return m->is_beside && memcmp(usual.position, staging->position, sizeof usual.position) == 0 &&
           memcmp(usual.rotation, staging->rotation, sizeof usual.rotation) == 0 &&
           memcmp(&usual.scale, &staging->scale, sizeof usual.scale) == 0;
}

/* Appends placement, opacity, visibility and shadows, unless the project or a parent determines them. */
static void write_staging(const odori_session *s, size_t i, mmd_buffer *out)
{
    const mmd_staging *staging = mmd_stage_staging(s->scene->stage, i);
    if (s->scene->models[i].project || staging->parent || mmd_stage_has_staging_keys(s->scene->stage, i))
        return;
    if (is_placed(staging) && !is_where_it_was_put(&s->scene->models[i], staging)) {
        mmd_write_format(out, "model.place");
        for (int k = 0; k < 3; k++)
            mmd_write_format(out, " %.9g", (double)staging->position[k]);
        for (int k = 0; k < 3; k++)
            mmd_write_format(out, " %.9g", (double)staging->rotation[k] / DEGREE);
        mmd_write_format(out, " %.9g\n", (double)staging->scale);
    }
    if (staging->opacity != 1.0f)
        mmd_write_format(out, "model.opacity %.9g\n", (double)staging->opacity);
    if (!staging->visible)
        mmd_write_format(out, "model.visible off\n");
    if (!staging->self_shadow && !staging->ground_shadow)
        mmd_write_format(out, "model.shadow off\n");
}

/*
 * Appends the command lines that restore the state of model i when it is opened and selected: placement,
 * opacity, shadows, hidden materials and morph weights, and of the scene's main model whether physics is off.
 * Defaults are not written. The placement by a project, or of a model that hangs on another one, is not
 * written either.
 */
static void write_model(const odori_session *s, size_t i, mmd_buffer *out)
{
    bool is_main = scene_main_model(s->scene) == i;
    write_staging(s, i, out);
    state_lines_materials(&s->scene->models[i], out);
    write_morphs(s, i, out);
    if (is_main && !s->scene->physics.on_given && s->scene->physics.on && !mmd_stage_physics(s->scene->stage))
        mmd_write_format(out, "physics off\n");
}

/* Returns whether a line of such a file is to be run. Options of the command line take precedence. */
static bool applies_to_model(const odori_session *s, size_t i, const char *line)
{
    if (strncmp(line, "physics", 7) == 0)
        return !s->scene->physics.on_given && scene_main_model(s->scene) == i;
    return strncmp(line, "model.place", 11) != 0 || !is_placed(mmd_stage_staging(s->scene->stage, i));
}

/* --- Lines --- */

/* The commands that settings.conf may contain. */
static const char *const config_commands[] = {
    "input.preset", "input.keys",      "play.count-in",     "play.continue",
    "motion.fade",  "panels.language", "panels.scale",      "panels.sheet",
    "audio.volume", "view.look",       "screenshot.folder", "panels.width",
    "sheet.height", "messages.toasts", "panels.hint",       NULL};

/* Returns whether a line begins with one of the allowed commands, so that a file written by somebody else
 * does no harm. */
static bool is_allowed(const char *line, size_t length, const char *const *allowed)
{
    for (; *allowed; allowed++) {
        size_t name = strlen(*allowed);
        if (length > name && strncmp(line, *allowed, name) == 0 && line[name] == ' ')
            return true;
    }
    return false;
}

/* Returns whether a line belongs to the selected model and is to be run. */
static bool is_of_model(const odori_session *s, const char *line, size_t length)
{
    return is_allowed(line, length, model_commands) && applies_to_model(s, s->selected, line);
}

/* Runs the allowed lines of a file. of_model: also those of the selected model. */
static void run_lines(odori_session *s, system_folder kind, const char *name, const char *const *allowed,
                      bool of_model)
{
    char path[MMD_FILE_PATH_MAX], error[REFUSAL_MAX];
    mmd_bytes bytes = read_file(kind, name, path);
    const char *at = bytes.data ? (const char *)bytes.data : "", *end = at + bytes.size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        bool wanted = is_allowed(at, length, allowed) || (of_model && is_of_model(s, at, length));
        if (wanted && !command_run(s, at, length, error))
            panel_log_refuse(s->messages, "%s: %s", path, error);
        at += length + 1 < (size_t)(end - at) ? length + 1 : (size_t)(end - at);
    }
    mmd_bytes_finish(&bytes);
}

/* Returns whether a model is the first one of its file. Only that has a stored state. */
static bool is_first_of_file(const odori_scene *scene, size_t model)
{
    for (size_t i = 0; i < model; i++)
        if (scene_is_present(scene, i) && strcmp(scene->models[i].path, scene->models[model].path) == 0)
            return false;
    return true;
}

/* Writes the name of the file with the state of a model, which is a hash of its content. Returns false when
 * it has none. */
static bool name_model(const odori_session *s, size_t model, char *name, size_t size)
{
    if (!scene_is_present(s->scene, model) || !is_first_of_file(s->scene, model))
        return false;
    digest hash = file_digest(s->scene->models[model].path);
    return hash.text[0] && snprintf(name, size, "models/%s", hash.text) < (int)size;
}

/* Restores the state of a model, and of the main one also frame and camera. */
static void restore_model(odori_session *s, size_t model)
{
    static const char *const main_commands[] = {"camera.set", "camera.perspective", "frame.set", NULL};
    static const char *const without_frame[] = {"camera.set", "camera.perspective", NULL};
    static const char *const none[] = {NULL};
    const char *const *of_main = s->panels.continues ? main_commands : without_frame;
    char name[128];
    size_t selected = s->selected;
    if (!name_model(s, model, name, sizeof name))
        return;
    s->selected = model;
    run_lines(s, SYSTEM_STATE, name, model == scene_main_model(s->scene) ? of_main : none, true);
    s->selected = selected;
}

void preferences_restore_models(odori_session *s, size_t from)
{
    for (size_t i = from; i < s->scene->model_count; i++)
        restore_model(s, i);
}

void preferences_restore(odori_session *s, bool with_model)
{
    bool playing = s->playing;
    double frame = s->frame;
    const mmd_view_options view = s->view;
    run_lines(s, SYSTEM_CONFIG, "settings.conf", config_commands, false);
    if (s->scene->settings.given || s->picture_models)
        s->view = view; /* a project or picture has a look of its own */
    if (!with_model)
        return;
    preferences_restore_models(s, 0);
    s->playing = playing && s->frame <= frame;
}

void preferences_restore_window(odori_session *s)
{
    static const char *const settings[] = {"window.size", NULL};
    run_lines(s, SYSTEM_CONFIG, "settings.conf", settings, false);
}

/* Writes the state of a model. */
static void save_model(const odori_session *s, size_t model)
{
    char name[128];
    mmd_buffer text = {0};
    if (!name_model(s, model, name, sizeof name))
        return;
    write_model(s, model, &text);
    if (model == scene_main_model(s->scene)) {
        state_lines_camera(s, &text);
        if (!s->playing && s->frame > 0)
            mmd_write_format(&text, "frame.set %.17g\n", s->frame);
    }
    write_file(SYSTEM_STATE, name, &text);
    mmd_buffer_finish(&text);
}

static const char *language_of(panel_language language)
{
    return language == PANEL_JAPANESE ? "ja" : language == PANEL_ENGLISH ? "en" : "auto";
}

void preferences_save(const odori_session *s, const uint32_t window_size[2])
{
    mmd_buffer text = {0};
    bool sheet = s->panels.full ? s->panels.sheet_before : s->panels.sheet;
    mmd_write_format(&text, "# Written by odori when it ends.\n");
    if (window_size[0] && window_size[1])
        mmd_write_format(&text, "window.size %u %u\n", window_size[0], window_size[1]);
    mmd_write_format(&text, "input.preset %s\nplay.count-in %.9g\nmotion.fade %.9g\n",
                     s->preset == INPUT_LEFT ? "left" : "mmd", s->transport.count_in, s->fade_seconds);
    if (document_of(s)->bindings)
        mmd_write_format(&text, "input.keys %s\n", bindings_set_name(document_of(s)->bindings->set));
    mmd_write_format(&text, "panels.language %s\npanels.scale %.9g\npanels.sheet %s\n",
                     language_of(s->panels.language), s->panels.scale, sheet ? "on" : "off");
    mmd_write_format(&text, "play.continue %s\n", s->panels.continues ? "on" : "off");
    if (s->panels.pale) /* without the line each scene has its own look */
        mmd_write_format(&text, "view.look pale\n");
    if (*s->panels.pictures) {
        mmd_write_format(&text, "screenshot.folder ");
        token_quote(s->panels.pictures, &text);
        mmd_write_format(&text, "\n");
    }
    mmd_write_format(&text, "panels.width %.9g\nsheet.height %.9g\nmessages.toasts %s\n",
                     s->panels.panels_width, s->panels.sheet_height, s->panels.hides_toasts ? "off" : "on");
    mmd_write_format(&text, "panels.hint %u\n", s->panels.hints);
    if (document_of(s)->audio)
        mmd_write_format(&text, "audio.volume %.9g\n", audio_volume(document_of(s)->audio));
    write_file(SYSTEM_CONFIG, "settings.conf", &text);
    mmd_buffer_finish(&text);
    for (size_t i = s->picture_models; i < s->scene->model_count; i++)
        save_model(s, i);
}

/* --- Audio offsets --- */

/* Adds the size and the beginning of an audio file to a hash. This distinguishes songs without reading long
 * files. */
static void add_sound(digest_stream *stream, const char *path)
{
    static const char none = 0;
    char bytes[4096];
    platform_info about = {.size = 0};
    int opened;
    FILE *file = mmd_file_open(path, &opened, NULL) == MMD_OK ? fdopen(opened, "rb") : NULL;
    if (!file) { /* in an archive */
        digest_add_text(stream, path);
        return;
    }
    platform_stat_open(fileno(file), &about);
    long long size = (long long)about.size;
    digest_add(stream, &size, sizeof size);
    for (size_t got, sum = 0; sum < SOUND_LOOKED_AT && (got = fread(bytes, 1, sizeof bytes, file)) > 0;
         sum += got)
        digest_add(stream, bytes, got);
    digest_add(stream, &none, 1);
    fclose(file);
}

/* Returns a hash that identifies the pair of motions and audio of the session, or "" when one of them is
 * missing. */
static digest hash_pair(const odori_session *s)
{
    size_t dances = 0;
    digest_stream stream = digest_begin();
    for (size_t i = 0; i < s->scene->motion_count; i++) {
        if (!mmd_motion_is_for_models(s->scene->motions[i].motion))
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

/* Restores an offset from a file of the state folder. Returns false when there is none. */
static bool restore_offset(odori_session *s, const char *name)
{
    static const char *const state[] = {"audio.offset", NULL};
    char path[MMD_FILE_PATH_MAX];
    if (!find_file(SYSTEM_STATE, name, path) || !platform_may_read(path))
        return false;
    run_lines(s, SYSTEM_STATE, name, state, false);
    return true;
}

/* Writes an offset to a file of the state folder. */
static void save_offset(const char *name, double offset)
{
    mmd_buffer text = {0};
    mmd_write_format(&text, "audio.offset %.9g\n", offset);
    write_file(SYSTEM_STATE, name, &text);
    mmd_buffer_finish(&text);
}

static void name_pair(const digest *pair, char name[64])
{
    snprintf(name, 64, "sounds/%s", pair->text);
}

/* Saves the offset of the stored pair, if it was changed. The session may already play another pair. */
static void write_offset(audio_memory *m)
{
    char name[64];
    if (!m->pair.text[0] || m->now == m->offset)
        return;
    name_pair(&m->pair, name);
    save_offset(name, m->now);
    m->offset = m->now;
}

static const void *last_motion(const odori_scene *scene)
{
    return scene->motion_count ? scene->motions[scene->motion_count - 1].motion : NULL;
}

/* Returns whether the files were only reloaded: the audio is the same and there are as many motions as
 * before. */
static bool is_read_again(const audio_memory *m, const odori_session *s)
{
    return m->begun && m->opened == audio_opened(document_of(s)->audio) &&
           m->motion_count == s->scene->motion_count;
}

/* Returns whether motions and audio are those of the last call. */
static bool is_the_same(const audio_memory *m, const odori_session *s)
{
    return is_read_again(m, s) && m->motions == last_motion(s->scene);
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
    digest pair = hash_pair(s);
    if (!digest_equal(&pair, &m->pair)) {
        write_offset(m);
        name_pair(&pair, name);
        if (pair.text[0] && !keeps_given && !restore_offset(s, name) && m->begun && !is_read_again(m, s))
            audio_set_offset(document_of(s)->audio, 0); /* the offset of the last pair does not apply */
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

/* --- Recent files --- */

/* Copies line i of a text, without its line break. Returns false when there is none. */
static bool get_line(const mmd_bytes *bytes, size_t i, char path[MMD_FILE_PATH_MAX])
{
    const char *at = bytes->data ? (const char *)bytes->data : "", *end = at + bytes->size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        if (length && length < MMD_FILE_PATH_MAX && !memchr(at, '\0', length) && i-- == 0) {
            memcpy(path, at, length);
            path[length] = '\0';
            return true;
        }
        at += length + 1 < (size_t)(end - at) ? length + 1 : (size_t)(end - at);
    }
    return false;
}

bool recent_get(size_t i, char *path)
{
    char name[MMD_FILE_PATH_MAX];
    mmd_bytes bytes = read_file(SYSTEM_STATE, "recent", name);
    bool found = i < RECENT_MAX && get_line(&bytes, i, path);
    mmd_bytes_finish(&bytes);
    return found;
}

void recent_add(const char *given)
{
    char path[MMD_FILE_PATH_MAX], other[MMD_FILE_PATH_MAX];
    mmd_buffer text = {0};
    if (!platform_path_resolve(given, path) || strchr(path, '\n'))
        return; /* in an archive, or with a line break, which the list cannot store */
    mmd_bytes bytes = read_file(SYSTEM_STATE, "recent", other);
    mmd_write_format(&text, "%s\n", path);
    for (size_t i = 0, count = 1; count < RECENT_MAX && get_line(&bytes, i, other); i++) {
        if (strcmp(other, path) == 0)
            continue;
        mmd_write_format(&text, "%s\n", other);
        count++;
    }
    write_file(SYSTEM_STATE, "recent", &text);
    mmd_buffer_finish(&text);
    mmd_bytes_finish(&bytes);
}
