#include "chooser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "file_page.h"
#include "mmd/assemble.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "open.h"

struct file_chooser {
    file_dialog *dialog;
    chooser_taker *taker; /* of the open dialog */
    chooser_aim aim;      /* of the last dialog for files to open */
    uintptr_t parent;
    bool was_missing; /* there was no dialog the last time */
};

file_chooser *chooser_create(void (*wake)(void *user), void *user)
{
    file_chooser *c = mmd_alloc(sizeof *c);
    if (!c)
        return NULL;
    *c = (file_chooser){.dialog = dialog_create(wake, user)};
    if (c->dialog)
        return c;
    mmd_free(c);
    return NULL;
}

void chooser_destroy(file_chooser *c)
{
    if (!c)
        return;
    dialog_destroy(c->dialog);
    mmd_free(c);
}

void chooser_set_parent(file_chooser *c, uintptr_t window)
{
    c->parent = window;
}

bool chooser_folder(const odori_session *s, char folder[MMD_FILE_PATH_MAX])
{
    char archive[MMD_FILE_PATH_MAX], beside[MMD_FILE_PATH_MAX];
    size_t main = scene_main_model(s->scene);
    const scene_model *m = main < s->scene->model_count ? &s->scene->models[main] : NULL;
    if (!m || document_of(s)->opener->dancer || strcmp(m->given, m->path) != 0)
        return false;
    mmd_path_folder(mmd_locate_archive(m->path, archive) ? archive : m->path, beside, sizeof beside);
    return platform_path_resolve(beside, folder);
}

dialog_state chooser_ask(odori_session *s, const dialog_request *request, chooser_taker *taker, char *error)
{
    char folder[MMD_FILE_PATH_MAX];
    dialog_request full = *request;
    file_chooser *c = document_of(s)->chooser;
    if (!c) {
        refuse_with(error, "only a window of `play` can show a file chooser");
        return DIALOG_FAILED;
    }
    full.parent = c->parent;
    if (!full.title && full.kind == DIALOG_OPEN)
        full.title = session_in_japanese(s) ? "ファイルを開く" : "Open files";
    else if (!full.title)
        full.title = session_in_japanese(s) ? "名前を付けて保存" : "Save as";
    if (!full.folder && chooser_folder(s, folder))
        full.folder = folder;
    dialog_state state = dialog_choose(c->dialog, &full, error);
    if (state == DIALOG_WAITING)
        c->taker = taker;
    return state;
}

void chooser_poll(file_chooser *c, odori_session *s)
{
    dialog_answer answer;
    if (!c || dialog_poll(c->dialog, &answer) <= DIALOG_WAITING)
        return;
    c->was_missing = answer.state == DIALOG_MISSING;
    c->taker(s, &answer);
    dialog_answer_finish(&answer);
}

double chooser_wait(const file_chooser *c)
{
    return c ? dialog_wait(c->dialog) : INFINITY;
}

bool chooser_is_likely(const file_chooser *c)
{
    return c && !c->was_missing && dialog_is_likely();
}

/* --- Files to open --- */

bool chooser_open(odori_session *s, const chooser_aim *aim, const char *const *paths, size_t count,
                  char *error)
{
    if (!aim->replaces)
        return open_files(s, paths, count, error);
    if (count != 1)
        return refuse_with(error, "one file takes the place of a model, not %zu", count);
    if (!scene_is_present(s->scene, aim->model) || strcmp(s->scene->models[aim->model].path, aim->path) != 0)
        return refuse_with(error, "the model that was to be replaced is gone");
    return open_in_place_of(s, aim->model, paths[0], error);
}

/* Shows the player's own page of files, because the desktop has no dialog. */
static bool show_own_page(odori_session *s, const chooser_aim *aim, char *error)
{
    char why[REFUSAL_MAX];
    if (document_of(s)->page)
        return file_page_show(document_of(s)->page, s, aim, error);
    memcpy(why, error, sizeof why);
    return refuse_with(error, "%.150s; drop files on the window, or use `file.open PATH`", why);
}

/* Opens the chosen files. */
static void open_chosen(odori_session *s, const dialog_answer *answer)
{
    char error[REFUSAL_MAX];
    const chooser_aim *aim = &document_of(s)->chooser->aim;
    memcpy(error, answer->error, sizeof error);
    if (answer->state == DIALOG_CANCELLED)
        return;
    if (answer->left_out)
        panel_log_report(s->messages, "chosen things that are not files on this computer: %zu",
                         answer->left_out);
    bool opened = answer->state == DIALOG_MISSING ? show_own_page(s, aim, error)
                  : answer->state == DIALOG_CHOSEN
                      ? chooser_open(s, aim, answer->paths.items, answer->paths.count, error)
                      : false;
    if (!opened)
        panel_log_report(s->messages, "%s", error);
}

bool chooser_ask_for(odori_session *s, const chooser_aim *aim, char *error)
{
    const bool japanese = session_in_japanese(s);
    const unsigned models = 1u << MMD_NAME_MODEL | 1u << MMD_NAME_ACCESSORY | 1u << MMD_NAME_INTERCHANGE;
    const unsigned motions = 1u << MMD_NAME_MOTION | 1u << MMD_NAME_POSE;
    const unsigned all =
        models | motions | 1u << MMD_NAME_PROJECT | 1u << MMD_NAME_SOUND | 1u << MMD_NAME_ARCHIVE;
    const dialog_filter filters[] = {
        {japanese ? "開けるファイル" : "Files that can be opened",
         all | 1u << MMD_NAME_PICTURE | 1u << MMD_NAME_PLAYLIST},
        {japanese ? "モデル・アクセサリ" : "Models and accessories", models},
        {japanese ? "モーション・ポーズ" : "Motions and poses", motions},
        {japanese ? "プロジェクト" : "Projects", 1u << MMD_NAME_PROJECT},
        {japanese ? "音声" : "Sounds", 1u << MMD_NAME_SOUND},
        {japanese ? "アーカイブ" : "Archives", 1u << MMD_NAME_ARCHIVE},
        {japanese ? "すべてのファイル" : "All files", 0},
    };
    const dialog_filter only_models = {filters[1].name, models | 1u << MMD_NAME_ARCHIVE};
    dialog_request request = {
        .multiple = true, .filters = filters, .filter_count = sizeof filters / sizeof *filters};
    if (aim->replaces)
        request = (dialog_request){.title = japanese ? "モデル差し替え" : "Replace the model",
                                   .filters = &only_models,
                                   .filter_count = 1};
    dialog_state state = chooser_ask(s, &request, open_chosen, error);
    if (state == DIALOG_WAITING)
        document_of(s)->chooser->aim = *aim;
    return state == DIALOG_WAITING || (state == DIALOG_MISSING && show_own_page(s, aim, error));
}

static bool file_choose(odori_session *s, const command_arguments *a, char *error)
{
    const chooser_aim open = {.replaces = false};
    (void)a;
    if (!document_of(s)->opener)
        return refuse_with(error, "only `play` can open files");
    return chooser_ask_for(s, &open, error);
}

static const command commands[] = {
    {"file.choose", "", "",
     "asks for files in the desktop's dialog, and opens them as `file.open` does (play)", file_choose,
     .replay = REPLAY_REFUSES},
};

const command_group commands_of_chooser = {commands, sizeof commands / sizeof *commands};
