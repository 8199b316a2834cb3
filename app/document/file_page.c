#include "file_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/paths.h"
#include "base/system.h"
#include "chooser.h"
#include "document.h"
#include "folder_list.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "open.h"
#include "preferences.h"
#include "thumbnails.h"

/* Kinds that are shown unless all are asked for. */
static const unsigned openable = 1u << MMD_NAME_MODEL | 1u << MMD_NAME_ACCESSORY |
                                 1u << MMD_NAME_INTERCHANGE | 1u << MMD_NAME_PROJECT | 1u << MMD_NAME_MOTION |
                                 1u << MMD_NAME_POSE | 1u << MMD_NAME_SOUND | 1u << MMD_NAME_PICTURE |
                                 1u << MMD_NAME_PLAYLIST | 1u << MMD_NAME_ARCHIVE;

/* Kinds that can take the place of a model. */
static const unsigned replacing =
    1u << MMD_NAME_MODEL | 1u << MMD_NAME_ACCESSORY | 1u << MMD_NAME_INTERCHANGE | 1u << MMD_NAME_ARCHIVE;

/* Kinds of which `odori thumbnail` makes pictures, and those of which the desktop may have some. */
static const unsigned pictured = 1u << MMD_NAME_MODEL | 1u << MMD_NAME_ACCESSORY |
                                 1u << MMD_NAME_INTERCHANGE | 1u << MMD_NAME_PROJECT | 1u << MMD_NAME_MOTION |
                                 1u << MMD_NAME_POSE | 1u << MMD_NAME_ARCHIVE;
static const unsigned maybe_pictured = pictured | 1u << MMD_NAME_PICTURE;

/* Seconds after which a process that makes a picture is killed. */
#define PICTURE_PATIENCE 60.0

/* --- The rows --- */

/* Makes the rows of what the filter lets through. Nothing is picked then, unless only one row is left.
 * Without memory there are no rows. */
static void make_rows(file_page *p, const folder_contents *contents)
{
    mmd_free(p->rows);
    p->rows = NULL;
    p->count = p->picked = p->last = 0;
    p->has_pictures = false;
    p->has_others = contents && contents->count;
    p->version++;
    if (!contents || !contents->count)
        return;
    uint32_t *shown = mmd_alloc(contents->count * sizeof *shown);
    const folder_filter filter = {.text = p->filter,
                                  .kinds = p->all            ? 0
                                           : p->aim.replaces ? replacing
                                                             : openable,
                                  .hidden = p->all};
    size_t count = shown ? folder_filter_apply(contents, &filter, shown) : 0;
    p->rows = count ? mmd_alloc(count * sizeof *p->rows) : NULL;
    p->count = p->rows ? count : 0;
    for (size_t i = 0; i < p->count; i++) {
        const folder_entry *e = &contents->entries[shown[i]];
        p->rows[i] = (file_row){.label = e->label,
                                .size = e->size,
                                .time = e->time,
                                .kind = e->kind,
                                .is_folder = e->is_folder,
                                .entry = shown[i]};
        p->has_pictures = p->has_pictures || (!e->is_folder && maybe_pictured & 1u << e->kind);
    }
    p->last = p->count;
    mmd_free(shown);
}

/* Copies the places. Their texts belong to the list, which finds them anew with each folder. */
static void make_places(file_page *p, const places *found)
{
    mmd_free(p->places);
    p->places = found && found->count ? mmd_alloc(found->count * sizeof *p->places) : NULL;
    p->place_count = p->places ? found->count : 0;
    for (size_t i = 0; i < p->place_count; i++)
        p->places[i] = (file_place){
            .kind = (int)found->items[i].kind, .path = found->items[i].path, .label = found->items[i].label};
}

/* Forgets all pictures, and gives up those that are awaited. */
static void forget_pictures(file_page *p)
{
    if (p->thumbnails)
        thumbnails_clear(p->thumbnails);
    mmd_free(p->pictures);
    p->pictures = NULL;
    p->picture_count = 0;
    p->pictures_of++;
    p->asks_again = true;
}

/* Takes over what was read. Returns whether the rows have changed. */
static bool follow(file_page *p, folder_view *view)
{
    bool changed = folder_list_poll(p->list, view);
    p->is_busy = folder_list_is_busy(p->list);
    p->error = view->error ? view->error : "";
    if (!changed)
        return false;
    if (view->contents && !*p->error)
        snprintf(p->folder, sizeof p->folder, "%s", view->contents->path);
    make_rows(p, view->contents);
    make_places(p, view->places);
    forget_pictures(p);
    p->picture_count = view->contents ? view->contents->count : 0;
    p->pictures = p->picture_count ? mmd_alloc(p->picture_count * sizeof *p->pictures) : NULL;
    if (p->pictures)
        memset(p->pictures, 0, p->picture_count * sizeof *p->pictures);
    return true;
}

/* --- Pictures --- */

/* Writes which picture of an entry is wanted. Returns false when there can be none. */
static bool wish_for(const folder_contents *contents, uint32_t number, thumbnail_wish *wish)
{
    const folder_entry *e = &contents->entries[number];
    if (e->is_folder || !(maybe_pictured & 1u << e->kind) ||
        (contents->in_archive && e->kind == MMD_NAME_PICTURE))
        return false;
    wish->number = number;
    wish->is_made = (pictured & 1u << e->kind) && !e->is_encrypted;
    wish->has_cache = !contents->in_archive;
    return folder_entry_path(contents, e, wish->path);
}

void file_page_see(file_page *p, size_t first, size_t end)
{
    folder_view view;
    bool same =
        first == p->seen_first && end == p->seen_end && p->version == p->seen_version && !p->asks_again;
    thumbnail_wish *wishes =
        !same && p->thumbnails ? mmd_alloc(THUMBNAILS_WISHES_MAX * sizeof *wishes) : NULL;
    size_t count = 0;
    if (!wishes)
        return;
    follow(p, &view);
    for (size_t i = first; i < end && i < p->count && count < THUMBNAILS_WISHES_MAX; i++) {
        const uint32_t entry = p->rows[i].entry;
        if (p->pictures && !p->pictures[entry])
            count += wish_for(view.contents, entry, &wishes[count]);
    }
    thumbnails_want(p->thumbnails, wishes, count);
    mmd_free(wishes);
    p->seen_first = first;
    p->seen_end = end;
    p->seen_version = p->version;
    p->asks_again = false;
}

bool file_page_take_picture(file_page *p, uint32_t *entry, mmd_image *image)
{
    if (!p || !p->thumbnails || !thumbnails_take(p->thumbnails, entry, image))
        return false;
    if (!image->width)
        file_page_set_picture(p, *entry, FILE_PAGE_NO_PICTURE);
    return true;
}

void file_page_set_picture(file_page *p, uint32_t entry, uint32_t number)
{
    if (entry < p->picture_count && p->pictures)
        p->pictures[entry] = number;
    p->asks_again = p->asks_again || number == 0;
}

/* --- Folders --- */

file_page *file_page_create(void (*wake)(void *user), void *user)
{
    char program[MMD_FILE_PATH_MAX];
    file_page *p = mmd_alloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (file_page){.error = "", .list = folder_list_create(wake, user)};
    if (system_program_path(program)) /* without it there are no pictures */
        p->thumbnails = thumbnails_create(program, PICTURE_PATIENCE, wake, user);
    if (p->list)
        return p;
    thumbnails_destroy(p->thumbnails);
    mmd_free(p);
    return NULL;
}

void file_page_destroy(file_page *p)
{
    if (!p)
        return;
    folder_list_destroy(p->list);
    thumbnails_destroy(p->thumbnails);
    mmd_free(p->pictures);
    mmd_free(p->rows);
    mmd_free(p->places);
    mmd_free(p);
}

/* Begins to read a folder or archive. */
static bool go(file_page *p, odori_session *s, const char *path, char *error)
{
    char given[MMD_FILE_PATH_MAX];
    snprintf(given, sizeof given, "%s", path);
    size_t main = scene_main_model(s->scene);
    bool has_model =
        main < s->scene->model_count && !(document_of(s)->opener && document_of(s)->opener->dancer);
    const char *model = has_model ? s->scene->models[main].path : NULL;
    if (!folder_list_go(p->list, given, model, s->remembers))
        return refuse_with(error, "out of memory");
    if (p->thumbnails)
        thumbnails_store(p->thumbnails, s->remembers);
    memcpy(p->folder, given, sizeof given);
    p->filter[0] = '\0';
    p->is_busy = p->descends = s->changed = true;
    return true;
}

/* Goes on into the only folder of an archive, if the page came from outside. */
static void descend(file_page *p, odori_session *s, const folder_contents *contents)
{
    char path[MMD_FILE_PATH_MAX], error[REFUSAL_MAX];
    if (!p->descends || p->is_busy || !contents)
        return;
    p->descends = false;
    if (!*p->error && contents->in_archive && contents->count == 1 && contents->entries[0].is_folder &&
        folder_entry_path(contents, &contents->entries[0], path))
        go(p, s, path, error);
}

void file_page_poll(file_page *p, odori_session *s)
{
    folder_view view;
    if (p && p->shown && follow(p, &view))
        s->changed = true;
    if (p && p->shown)
        descend(p, s, view.contents);
    if (p && !p->shown && p->pictures)
        forget_pictures(p);
}

bool file_page_show(file_page *p, odori_session *s, const chooser_aim *aim, char *error)
{
    char folder[MMD_FILE_PATH_MAX];
    p->aim = *aim;
    if (*p->folder)
        snprintf(folder, sizeof folder, "%s", p->folder);
    else if (!chooser_folder(s, folder) && !mmd_user_folders_home(folder))
        snprintf(folder, sizeof folder, "/");
    p->shown = true;
    return go(p, s, folder, error);
}

/* --- Commands --- */

static file_page *page_of(const odori_session *s, bool shown, char *error)
{
    file_page *p = document_of(s)->page;
    if (!p)
        refuse_with(error, "only a window of `play` has a page of files");
    else if (shown && !p->shown)
        refuse_with(error, "the page of files is closed; `files on` opens it");
    return p && (!shown || p->shown) ? p : NULL;
}

static bool files(odori_session *s, const command_arguments *a, char *error)
{
    const chooser_aim open = {.replaces = false};
    file_page *p = page_of(s, false, error);
    if (!p)
        return false;
    p->shown = false;
    s->changed = true;
    return !a->on[0] || file_page_show(p, s, &open, error);
}

static bool files_go(odori_session *s, const command_arguments *a, char *error)
{
    char path[MMD_FILE_PATH_MAX];
    file_page *p = page_of(s, false, error);
    if (!p)
        return false;
    if (!folder_typed(a->word[0], p->folder, path))
        return refuse_with(error, "\"%.200s\" is not a folder", a->word[0]);
    if (!p->shown)
        p->aim = (chooser_aim){.replaces = false};
    p->shown = true;
    return go(p, s, path, error);
}

static bool files_up(odori_session *s, const command_arguments *a, char *error)
{
    char parent[MMD_FILE_PATH_MAX];
    file_page *p = page_of(s, true, error);
    (void)a;
    bool done = p && (!folder_parent(p->folder, parent) || go(p, s, parent, error));
    if (p)
        p->descends = false; /* it would lead back */
    return done;
}

/* Filters the rows. */
static bool files_filter(odori_session *s, const command_arguments *a, char *error)
{
    folder_view view;
    file_page *p = page_of(s, true, error);
    if (!p)
        return false;
    if (strcmp(a->name, "files.all") == 0)
        p->all = a->on[0];
    else
        snprintf(p->filter, sizeof p->filter, "%s", a->count ? a->word[0] : "");
    if (!follow(p, &view))
        make_rows(p, view.contents);
    s->changed = true;
    return true;
}

/* Returns whether a number is that of a row. */
static bool find_row(const file_page *p, double number, size_t *row, char *error)
{
    if (number != floor(number) || number < 0 || number >= (double)p->count)
        return refuse_with(error, "there is no row %g of %zu; the first is 0", number, p->count);
    *row = (size_t)number;
    return true;
}

static void pick(file_page *p, size_t row, bool on)
{
    p->picked = p->picked + (on && !p->rows[row].is_picked) - (!on && p->rows[row].is_picked);
    p->rows[row].is_picked = on;
}

/* Picks a row: alone, beside the others (add), or all from the one that was picked last (range). */
static bool files_pick(odori_session *s, const command_arguments *a, char *error)
{
    size_t row = 0, from;
    file_page *p = page_of(s, true, error);
    bool adds = a->count > 1 && strcmp(a->word[1], "add") == 0;
    bool ranges = a->count > 1 && strcmp(a->word[1], "range") == 0;
    if (!p || !find_row(p, a->number[0], &row, error))
        return false;
    if (a->count > 1 && !adds && !ranges)
        return refuse_with(error, "\"%.40s\" is neither add nor range", a->word[1]);
    for (size_t i = 0; !adds && i < p->count; i++)
        pick(p, i, false);
    from = ranges && p->last < p->count ? p->last : row;
    for (size_t i = from < row ? from : row; i <= (from < row ? row : from); i++)
        pick(p, i, adds ? !p->rows[i].is_picked : true);
    if (!ranges)
        p->last = row;
    s->changed = true;
    return true;
}

/* Opens the picked files, all together, and closes the page. */
static bool open_picked(file_page *p, odori_session *s, const folder_contents *contents, char *error)
{
    text_list paths = {0};
    mmd_arena arena = {0};
    char path[MMD_FILE_PATH_MAX];
    bool fits = true;
    for (size_t i = 0; fits && i < p->count; i++) {
        if (!p->rows[i].is_picked)
            continue;
        const char *copy = folder_entry_path(contents, &contents->entries[p->rows[i].entry], path)
                               ? mmd_arena_text(&arena, path, strlen(path))
                               : NULL;
        fits = copy && text_list_add(&paths, copy);
    }
    p->shown = !fits;
    bool opened = fits ? chooser_open(s, &p->aim, paths.items, paths.count, error)
                       : refuse_with(error, "out of memory");
    text_list_finish(&paths);
    mmd_arena_finish(&arena);
    return opened;
}

/* Opens what is picked, or goes into it if it is one folder or, by its number, one archive. */
static bool files_open(odori_session *s, const command_arguments *a, char *error)
{
    folder_view view;
    size_t row = 0;
    char path[MMD_FILE_PATH_MAX];
    file_page *p = page_of(s, true, error);
    if (!p || (a->count && !find_row(p, a->number[0], &row, error)))
        return false;
    follow(p, &view);
    if (!view.contents || (!a->count && !p->picked))
        return refuse_with(error, "nothing is picked");
    for (size_t i = 0; a->count && i < p->count; i++)
        pick(p, i, i == row);
    for (size_t i = 0; !a->count && i < p->count && !p->rows[row].is_picked; i++)
        row = i;
    const file_row *r = &p->rows[row];
    bool enters = p->picked == 1 &&
                  (r->is_folder || (a->count && r->kind == MMD_NAME_ARCHIVE && !view.contents->in_archive));
    if (!enters)
        return open_picked(p, s, view.contents, error);
    return folder_entry_path(view.contents, &view.contents->entries[r->entry], path)
               ? go(p, s, path, error)
               : refuse_with(error, "the path is too long");
}

static const command commands[] = {
    {"files", "s", "on|off", "shows the player's own page of files, or closes it (play)", files,
     .replay = REPLAY_REFUSES},
    {"files.go", "w", "FOLDER", "shows a folder or archive on it (play)", files_go, .replay = REPLAY_REFUSES},
    {"files.up", "", "", "shows the folder above (play)", files_up, .replay = REPLAY_REFUSES},
    {"files.filter", "?w", "[TEXT]", "shows files with this text in their names, or all (play)", files_filter,
     .replay = REPLAY_REFUSES},
    {"files.all", "s", "on|off", "shows also hidden files and those that cannot be opened (play)",
     files_filter, .replay = REPLAY_REFUSES},
    {"files.pick", "r?w", "ROW [add|range]",
     "picks a file of the page, alone, too, or all from the last one (play)", files_pick,
     .replay = REPLAY_REFUSES},
    {"files.open", "?r", "[ROW]", "opens the picked files, or one; goes into a folder or archive (play)",
     files_open, .replay = REPLAY_REFUSES},
};

const command_group commands_of_files = {commands, sizeof commands / sizeof *commands};
