/* `odori play`: plays a scene in a window, or renders a short clip when there is no display. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "advance.h"
#include "base/clock.h"
#include "base/message.h"
#include "clip.h"
#include "clipboard.h"
#include "clipboard_read.h"
#include "command/commands.h"
#include "document/audio.h"
#include "document/autosave.h"
#include "document/bindings.h"
#include "document/chooser.h"
#include "document/document.h"
#include "document/file_page.h"
#include "document/open.h"
#include "document/open_work.h"
#include "document/preferences.h"
#include "document/save.h"
#include "document/watch.h"
#include "inspect.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/elementary.h"
#include "mmd/simulation.h"
#include "panels.h"
#include "player.h"
#include "player_internal.h"
#include "player_options.h"
#include "rate_governor.h"
#include "recipe/draw.h"
#include "recipe/stage.h"
#include "scene/bundled.h"
#include "scene/framing.h"
#include "scene/crowd.h"
#include "scene/options.h"
#include "screenshot.h"
#include "window.h"

/* Seconds. */
#define SIMULATE_BUDGET  0.1   /* longest time that simulating to a distant frame may block the window */
#define TITLE_INTERVAL   0.5   /* between updates of the title */
#define KEEP_INTERVAL    5.0   /* between drafts of unsaved edits */
#define LOADING_INTERVAL 0.1   /* the same while files are loaded */
#define LOADING_WAIT     0.004 /* longest wait for events while files are loaded */
#define HIDDEN_WAIT      0.03  /* wait between steps while the window is hidden */
#define ARRIVE_BUDGET    0.008 /* longest time for uploading textures between two frames, */
#define ARRIVE_SHARE     0.5   /* or this share of what drawing a frame takes */

/* Least time from one frame to the next, as a share of the monitor's refresh interval. A driver that waits
 * for the refresh takes the whole interval. Without that wait this limits drawing to about the visible
 * frames. */
#define FRAME_SHARE 0.9

/* Antialiasing samples of the window if no option sets them. Pictures of `shot` have none, like those of MMD.
 */
enum { PLAY_SAMPLES = 4 };

enum { BEATS_A_BAR = 4 }; /* in the title */

/* Starts at which a new user sees the hint of the keys. */
enum { HINTS_AT_FIRST = 5 };

typedef struct player {
    odori_window *window;
    odori_screen *screen;
    const mmd_log *log;
    odori_session *session;
    file_opener *opener;
    odori_panels *panels; /* NULL: none */
    file_watch *watch;    /* NULL: files are not watched */
    rate_governor governor;
    autosave_watch autosave, kept; /* kept: when drafts of unsaved edits were written last */
    double kept_time;              /* and the time */
    autosave_drafts drafts;
    double last;         /* time of the last step of the loop */
    double title_time;   /* time of the last update of the title */
    char title[320];     /* that the window has */
    double picture_time; /* refresh interval of the monitor, seconds */
    double turn;         /* earliest time of the next frame */
    unsigned drawn;      /* frames since the last update of the title */
    uint32_t size[2];    /* of the last frame, pixels */
    double started;      /* when the program began to play */
    bool has_drawn;      /* there was a frame */
    bool has_all;        /* all textures have arrived */
    double draw_time;    /* that the last frame has taken, seconds */
} player;

/* --- The title of the window: scene, frame and playback --- */

typedef struct title_facts {
    const char *name; /* of the scene */
    const odori_session *session;
    double fps;   /* below 0: nothing is drawn, because the window is hidden */
    double pace;  /* playback speed of rate_governor.h, below 1 when physics is slow */
    bool unsaved; /* there are edited keyframes or poses that were not saved */
} title_facts;

/* Appends a formatted text to the title. */
static void add_text(char *title, size_t size, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 3, 4)))
#endif
    ;
static void add_text(char *title, size_t size, const char *format, ...)
{
    size_t length = strlen(title);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(title + length, size - length, format, arguments);
    va_end(arguments);
}

/* Appends bar and beat, both counted from 1. Before the first beat there is none. */
static void add_beat(const odori_session *s, char *title, size_t size)
{
    if (s->transport.bpm <= 0)
        return;
    double beat = transport_beat(&s->transport, s->frame);
    if (beat >= 1)
        add_text(title, size, " - beat %.0f.%.0f", floor((beat - 1) / BEATS_A_BAR) + 1,
                 fmod(beat - 1, BEATS_A_BAR) + 1);
}

/* Appends the range that is repeated. */
static void add_repeat(const odori_transport *t, char *title, size_t size)
{
    if (!isnan(t->a) && !isnan(t->b))
        add_text(title, size, " - repeats %.0f to %.0f", t->a, t->b);
    else if (!isnan(t->a))
        add_text(title, size, " - A at %.0f", t->a);
    else if (!isnan(t->b))
        add_text(title, size, " - B at %.0f", t->b);
}

/* Appends the state of playback. */
static void add_time(const title_facts *facts, char *title, size_t size)
{
    const odori_session *s = facts->session;
    if (!s->playing)
        add_text(title, size, " - paused");
    else if (s->transport.count_left > 0)
        add_text(title, size, " - starts in %.0f s", ceil(s->transport.count_left));
    else if (facts->fps >= 0)
        add_text(title, size, " - %.0f fps", facts->fps);
    if (session_runs(s) && facts->pace < 1)
        add_text(title, size, " - slow physics: %.0f %% speed", 100 * facts->pace);
}

/* Writes the title: "miku.pmx* - frame 120 - beat 2.1 - 0.5x - repeats 90 to 240 - 60 fps". The star stands
 * for unsaved edits. A title that does not fit is cut. */
static void write_title(const title_facts *facts, char *title, size_t size)
{
    const odori_session *s = facts->session;
    snprintf(title, size, "%.200s%s", facts->name, facts->unsaved ? "*" : "");
    if (!s->arrived) {
        add_text(title, size, " - simulating physics: frame %.0f of %.0f", mmd_stage_frame(s->scene->stage),
                 s->frame);
        return;
    }
    add_text(title, size, " - frame %.0f", s->frame);
    add_beat(s, title, size);
    if (s->speed < 1 || s->speed > 1)
        add_text(title, size, " - %gx", s->speed);
    add_repeat(&s->transport, title, size);
    add_time(facts, title, size);
}

static void update_title(player *p, double time)
{
    char title[320];
    const title_facts facts = {.name = p->opener->name,
                               .session = p->session,
                               .fps = window_is_hidden(p->window) ? -1 : p->drawn / (time - p->title_time),
                               .pace = rate_governor_speed(&p->governor),
                               .unsaved = autosave_is_due(&p->autosave, p->session)};
    double part;
    const char *loading;
    if (open_work_progress(p->opener->work, &part, &loading))
        snprintf(title, sizeof title, "%.200s - loading: %.0f %% (Esc cancels)", loading, 100 * part);
    else
        write_title(&facts, title, sizeof title);
    if (strcmp(p->title, title) != 0) {
        memcpy(p->title, title, sizeof title);
        window_set_title(p->window, title);
    }
    p->picture_time = window_picture_time(p->window);
    p->title_time = time;
    p->drawn = 0;
}

/* --- The loop --- */

/* Draws the scene into its part of the window. */
static mmd_status draw_scene(player *p, uint32_t height, mmd_error *error)
{
    const ui_layout layout = window_layout(p->window, &p->session->panels);
    const mmd_view_place place = {.bottom = height - layout.picture.height,
                                  .width = layout.picture.width,
                                  .height = layout.picture.height};
    mmd_view_options options = p->session->view;
    options.checkerboard = true;
    return mmd_view_draw_in(p->screen->view, p->session->scene->stage, &options, &place, error);
}

/* Draws a frame: the scene, or its stored copy if only the panels have changed, and the panels. */
static int draw(player *p)
{
    uint32_t width, height;
    mmd_error error = {0};
    bool changed = p->session->changed;
    window_pixels(p->window, &width, &height);
    p->session->changed = false;
    if (width == 0 || height == 0)
        return EXIT_DONE;
    double started = clock_seconds();
    p->turn = started + FRAME_SHARE * p->picture_time;
    bool kept = !changed && panels_show_picture(p->panels, width, height);
    if (!kept && draw_scene(p, height, &error) != MMD_OK) {
        report(&error);
        return EXIT_FACILITY;
    }
    panels_draw(p->panels, kept ? 0 : clock_seconds() - started);
    window_swap(p->window);
    if (!p->has_drawn)
        mmd_log_message(p->log, MMD_LOG_INFO, "first picture after %.0f ms",
                        1000 * (clock_seconds() - p->started));
    p->has_drawn = true;
    p->draw_time = clock_seconds() - started;
    /* Drivers notice a new size only in the swap, so this frame may have been drawn in the old one. */
    if (width != p->size[0] || height != p->size[1])
        p->session->changed = true;
    p->size[0] = width;
    p->size[1] = height;
    p->drawn++;
    return EXIT_DONE;
}

/* Returns in how many seconds drafts of unsaved edits are to be written: 0 is at once, INFINITY never. */
static double keep_wait(const player *p)
{
    const autosave_watch *now = &p->autosave, *last = &p->kept;
    bool same = now->scene == last->scene && now->edit == last->edit && now->changes == last->changes &&
                now->saved_count == last->saved_count;
    if (same || (!now->is_due && !p->drafts.count))
        return INFINITY;
    return mmd_max(p->kept_time + KEEP_INTERVAL - clock_seconds(), 0);
}

/* Writes drafts of unsaved edits, so that they outlive a crash. */
static void keep_edits(player *p)
{
    if (keep_wait(p) > 0)
        return;
    autosave_keep(p->session);
    p->kept = p->autosave;
    p->kept_time = clock_seconds();
}

/* Returns the longest wait for events in seconds, INFINITY for no limit. While the window is hidden, time and
 * audio go on, but nothing is drawn. When nothing moves either, it sleeps until an event, a message or bar
 * that is to disappear, a changed file, an update of the title, drafts that are due, or the end of the
 * patience with a dialog.
 */
static double wait_time(const player *p, bool still, bool hidden)
{
    if (!still)
        return hidden ? HIDDEN_WAIT : p->turn - clock_seconds();
    double now = clock_seconds();
    double title = p->title_time < p->last ? mmd_max(p->title_time + TITLE_INTERVAL - now, 0) : INFINITY;
    double due = mmd_min(mmd_min(title, keep_wait(p)), chooser_wait(document_of(p->session)->chooser));
    return mmd_min(due, mmd_min(watch_wait(p->watch, p->session, now), panels_wait(p->panels)));
}

/* Uploads textures that were decoded since the last step. Returns the exit code. */
static int let_arrive(player *p)
{
    mmd_error error = {0};
    bool changed;
    const bool done =
        screen_arrive(p->screen, mmd_max(ARRIVE_BUDGET, ARRIVE_SHARE * p->draw_time), &changed, &error);
    p->has_all = screen_is_complete(p->screen); /* what had to wait may have completed it */
    p->session->changed |= changed || p->has_all;
    if (p->has_all)
        mmd_log_message(p->log, MMD_LOG_INFO, "all textures after %.0f ms",
                        1000 * (clock_seconds() - p->started));
    return done ? EXIT_DONE : draw_failed(&error);
}

/* Runs the loop until the user quits or drawing fails. Returns the exit code. */
static int play_frames(player *p)
{
    int result = EXIT_DONE;
    p->last = p->title_time = clock_seconds();
    p->picture_time = window_picture_time(p->window);
    while (result == EXIT_DONE && !p->session->quit) {
        bool hidden = window_is_hidden(p->window);
        bool still = !advance_is_moving(p->session) && p->session->arrived &&
                     (hidden || (!p->session->changed && !panels_want_picture(p->panels)));
        bool loads = open_work_is_busy(p->opener->work), arrives = !p->has_all;
        double wait = wait_time(p, still, hidden);
        window_events(p->window, loads ? LOADING_WAIT : arrives ? mmd_min(wait, LOADING_WAIT) : wait);
        if (arrives)
            result = let_arrive(p);
        if (window_wants_close(p->window))
            command_format(p->session, "quit.ask");
        if (!p->session->arrived)
            session_arrive(p->session);
        double time = clock_seconds(), passed = time - p->last;
        p->last = time;
        if (still)
            passed = 0; /* the wait does not count as playing time */
        clipboard_poll(p->session);
        chooser_poll(document_of(p->session)->chooser, p->session);
        file_page_poll(document_of(p->session)->page, p->session);
        panels_poll(p->panels);
        open_work_poll(p->opener->work);
        if (p->session->panels.first && p->session->playing)
            p->session->panels.first = false;
        if (screen_is_complete(p->screen)) /* it looks for files where textures are read */
            watch_poll(p->watch, p->session, time);
        audio_memory_follow(document_of(p->session)->offsets, p->session);
        advance_session(&p->governor, p->session, p->last, passed);
        if (time - p->title_time >= (loads ? LOADING_INTERVAL : TITLE_INTERVAL) ||
            (p->session->changed && !p->session->playing))
            update_title(p, time);
        keep_edits(p);
        bool wanted = p->session->changed || panels_want_picture(p->panels);
        if (result == EXIT_DONE && wanted && time >= p->turn && !window_is_hidden(p->window))
            result = draw(p);
    }
    return result;
}

/* Plays in a window, with all that needs its GL context. The screen reads the scene's textures. Returns the
 * exit code. */
static int play_window(odori_window *window, odori_screen *screen, document *own, odori_session *session,
                       double started, const mmd_log *log)
{
    player_parts parts = {.window = window};
    uint32_t size[2] = {0, 0};
    player p = {.window = window,
                .screen = screen,
                .log = log,
                .session = session,
                .started = started,
                .opener = document_of(session)->opener,
                .watch = watch_create(window_wake, NULL),
                .kept_time = -INFINITY};
    mmd_error error = {0};
    int result = EXIT_DONE;
    if (!screen_open_in_steps(screen, window_gl_loader(), log, &error)) {
        result = draw_failed(&error);
    } else {
        screen_tell_context(screen, log);
        p.opener->screen = screen;
        own->player = &parts;
        own->has_window = true;
        own->drafts = &p.drafts;
        window_connect(window, session);
        if (session->remembers)
            preferences_restore_window(session);
        p.panels = panels_create(window, session, screen);
        session->budget_s = SIMULATE_BUDGET;
        p.opener->work = open_work_create(session);
        parts.clipboard = clipboard_reader_create(window_wake, NULL);
        own->page = file_page_create(window_wake, NULL);
        own->chooser = chooser_create(window_wake, NULL);
        if (own->chooser)
            chooser_set_parent(own->chooser, window_number(window));
        result = play_frames(&p);
        chooser_destroy(own->chooser);
        own->chooser = NULL;
        file_page_destroy(own->page);
        own->page = NULL;
        clipboard_reader_destroy(parts.clipboard);
        parts.clipboard = NULL;
        open_work_destroy(p.opener->work);
        p.opener->work = NULL;
        autosave_write(session);
        own->drafts = NULL;
        window_get_size(window, &size[0], &size[1]);
        if (session->remembers) {
            preferences_save(session, size);
            screenshot_keep_last(session);
        }
        session->budget_s = 0;
        panels_destroy(p.panels);
        window_connect(window, NULL);
        inspect_close(session);
        own->player = NULL;
        own->has_window = false;
        p.opener->screen = NULL;
    }
    watch_destroy(p.watch);
    return result;
}

/* Answers a start without arguments where there is no display. */
static int no_subcommand(void)
{
    message("no subcommand (see odori --help)");
    return EXIT_USAGE;
}

/* Renders the clip. That of the bundled dance begins shortly before the chorus. */
static int show_clip(odori_session *session, bool own_dance, const video_sound *sound, const mmd_log *log)
{
    if (own_dance && session->frame == 0)
        session_go(session, BUNDLED_CLIP_FRAME);
    return clip_write(session, sound, log);
}

/* Opens the audio. Returns the exit code. */
static int start_sound(document *own, const recipe_stage *stage)
{
    char error[REFUSAL_MAX];
    own->audio = audio_create();
    if (!own->audio) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    audio_set_offset(own->audio, stage->recipe.sound.offset);
    if (*stage->sound && !audio_open(own->audio, stage->sound, error)) {
        message("%s", error);
        return EXIT_INPUT;
    }
    if ((own->opener->dancer || stage->scene.settings.sound) && !stage->recipe.sound.path)
        audio_mark_bundled(own->audio);
    return EXIT_DONE;
}

static int show(document *own, recipe_stage *stage, const player_options *options, const mmd_log *log)
{
    if (options->mascot.wanted)
        return mascot_play(own, stage, &options->mascot, log);
    const video_sound below = {.path = stage->sound, .offset = stage->recipe.sound.offset};
    odori_screen screen = {0};
    mmd_error error = {0};
    int result = EXIT_DONE;
    /* Opening a window takes as long as decoding many textures. */
    if (window_has_display() && !screen_read(&screen, &stage->scene, log, &error))
        result = draw_failed(&error);
    odori_window *window =
        result == EXIT_DONE ? window_open(own->opener->name, own->opener->samples, log) : NULL;
    /* Some systems open a window although no display was found before. */
    if (window && !screen.models && !screen_read(&screen, &stage->scene, log, &error))
        result = draw_failed(&error);
    else if (window)
        result = play_window(window, &screen, own, &stage->session, options->started, log);
    screen_finish(&screen);
    if (window || result != EXIT_DONE) {
        window_close(window);
        return result;
    }
    return stage->session.panels.first ? no_subcommand()
                                       : show_clip(&stage->session, own->opener->dancer != NULL, &below, log);
}

/* Returns the name of the scene in the title. */
static const char *name_of(const recipe_stage *stage)
{
    if (*stage->dancer.model)
        return "odori";
    return mmd_path_name(stage->scene.settings.given ? stage->recipe.scene.files.items[0].path
                                                     : stage->scene.models[0].path);
}

/* Restores the user's settings, and adds the files, or the picture that names them, to the recent ones. The
 * stored state of models is not restored for projects and pictures, which have their own, nor for the bundled
 * dancer. */
static void restore_preferences(recipe_stage *stage)
{
    const scene_inputs *files = &stage->recipe.scene.files;
    if (!stage->session.remembers)
        return;
    preferences_restore(&stage->session,
                        files->count && !stage->scene.settings.given && !stage->recipe.picture);
    if (stage->recipe.picture)
        recent_add(stage->recipe.picture);
    for (size_t i = stage->recipe.picture ? 0 : files->count; i > 0; i--)
        if (!files->items[i - 1].is_dancer)
            recent_add(files->items[i - 1].path);
}

/* Tells why the user's own playlist cannot be read, if it cannot. */
static void tell_own_playlist(panel_log *messages, mmd_status status, mmd_error *error)
{
    char sentence[512];
    if (status != MMD_OK)
        panel_log_report(messages, "%s", mmd_error_sentence(error, sentence, sizeof sentence));
    *error = (mmd_error){0};
}

/* The inspected pixel belongs to the scene and is closed with it. */
static const session_host host = {.scene_ends = inspect_close};

/* Plays an opened scene with audio, key bindings and preferences. Returns the exit code. */
static int play_stage(recipe_stage *stage, player_options *options, const common_options *common,
                      panel_log *messages, const mmd_log *log, const char *trouble)
{
    odori_session *session = &stage->session;
    const view_options *view = &stage->recipe.view;
    key_bindings keys;
    save_list saving = {0};
    audio_memory stored_audio = {.given = stage->recipe.sound.offset != 0};
    file_opener opener = {.log = *log,
                          .recipe = &stage->recipe,
                          .max_models = options->max_models,
                          .samples = view->samples ? view->view.samples : PLAY_SAMPLES,
                          .dancer = *stage->dancer.music ? &stage->dancer : NULL};
    document own = {.bindings = &keys,
                    .playlist = &options->list,
                    .opener = &opener,
                    .offsets = &stored_audio,
                    .saving = &saving,
                    .trouble = trouble};
    mmd_error error = {0};
    snprintf(opener.name, sizeof opener.name, "%.250s", name_of(stage));
    bindings_init(&keys);
    if (!options->no_settings)
        preferences_read_bindings(&keys);
    session->has_bar = true;
    session->panels.hints = HINTS_AT_FIRST;
    session->remembers = !options->no_settings;
    session->has_next = options->list.count > 1;
    if (session->remembers && !options->list.count)
        tell_own_playlist(messages, playlist_read_own(&options->list, &error), &error);
    session->host = &host;
    session->messages = messages;
    /* The commands of a picture run before the session has a document: they can open nothing. */
    bool begun =
        (!options->mascot.wanted || mascot_measure(&options->mascot, &stage->scene, &error) == MMD_OK) &&
        recipe_begin_playing(stage, &error) == MMD_OK;
    session->owner = &own;
    if (begun && stage->recipe.picture)
        autosave_note_picture(session);
    int result = begun ? start_sound(&own, stage) : report(&error);
    if (begun)
        restore_preferences(stage);
    if (begun && options->mascot.wanted)
        mascot_dress(&options->mascot, stage);
    if (own.audio)
        audio_memory_follow(&stored_audio, session);
    session->panels.first = options->first_page && (trouble || *stage->dancer.music);
    if (session->panels.first)
        session_pause(session);
    session->panels.greets = !common->exec.count; /* a script's pictures have no bar that nobody asked for */
    if (result == EXIT_DONE)
        result = commands_begin(session, common);
    if (result == EXIT_DONE && !session->quit)
        result = show(&own, stage, options, log);
    if (own.audio)
        audio_memory_keep(&stored_audio, session);
    audio_destroy(own.audio);
    save_list_finish(&saving);
    return result;
}

/* Opens a scene and plays it. trouble: why the file that was wanted instead was not opened, or NULL. Returns
 * the exit code, or -1 with the error if the scene cannot be opened. */
static int play(const recipe *wanted, player_options *options, const common_options *common,
                const char *trouble, mmd_error *error)
{
    recipe_stage stage;
    panel_log messages;
    const mmd_log behind = stderr_log(common->log_level);
    mmd_log log = panel_log_start(&messages, &behind);
    const recipe_opening how = {.subcommand = "play", .log = &log, .for_window = true, .with_sound = true};
    int result = recipe_open(&stage, wanted, &how, error) == MMD_OK
                     ? play_stage(&stage, options, common, &messages, &log, trouble)
                     : -1;
    recipe_close(&stage);
    return result;
}

/* Plays what is wanted. If that cannot be opened and the first page is wanted, shows that with the reason. */
static int play_wanted(recipe *wanted, player_options *options, const common_options *common)
{
    char trouble[512];
    mmd_error error = {0};
    int result = -1;
    if (player_read_playlist(options, wanted, &error) == MMD_OK &&
        recipe_take_picture(wanted, false, &error) == MMD_OK)
        result = play(wanted, options, common, NULL, &error);
    if (result >= 0)
        return result;
    result = report(&error);
    if (!options->first_page || !window_has_display())
        return result;
    recipe nothing;
    recipe_init(&nothing, true);
    mmd_error_sentence(&error, trouble, sizeof trouble);
    error = (mmd_error){0};
    result = play(&nothing, options, common, trouble, &error);
    recipe_finish(&nothing);
    return result >= 0 ? result : report(&error);
}

int play_main(int argc, char **argv)
{
    recipe wanted;
    player_options options = {.started = clock_seconds()};
    common_options common = default_common_options();
    recipe_init(&wanted, true);
    const option_group groups[] = {
        group_of_scene(&wanted.scene), group_of_sound(&wanted.sound), group_of_player(&options),
        group_of_crowd(&wanted.scene), group_of_view(&wanted.view),   group_of_physics(&wanted.physics),
        group_of_all(&common),
    };
    audio_files files = {&wanted.scene, &wanted.sound};
    char help[8192], notes[10240];
    window_help(help, sizeof help);
    snprintf(notes, sizeof notes,
             "%s\n\nThe window is antialiased with %d samples unless --msaa sets another number.\n"
             "A glTF or Ragdoll file without an animation runs without end.\n"
             "A mascot is dragged with the left button, and its size changes by the wheel. The right button "
             "opens\n"
             "a menu. Escape or Shift+Q ends it.\n"
             "Without a display, play draws a short clip to ./odori-clip and prints its path.",
             help, PLAY_SAMPLES);
    const command_line line = {
        .name = "play",
        .usage = "[MODEL... | PROJECT.pmm | PICTURE.png] [SOUND] [options]",
        .summary = "Plays models and motions in a window, in a loop. Without a model it shows the bundled "
                   "dancer, and "
                   "without\na motion the bundled dance. An MMD project (.pmm) opens with everything in it. "
                   "A picture "
                   "made by `shot`\nor `check` opens as the scene that it shows.",
        .notes = notes,
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = audio_files_add,
        .positional_target = &files,
    };
    int result = options_parse(&line, argc, argv);
    if (result == OPTIONS_PARSED)
        result = player_options_check(&options, &line);
    if (result == OPTIONS_PARSED) {
        window_leave_console();
        recipe_list_settings(argc, argv, &wanted.settings);
        wanted.scene.most_models = options.max_models;
        physics_take_threads(&wanted.physics, &common);
        result = play_wanted(&wanted, &options, &common);
    }
    player_options_finish(&options);
    recipe_finish(&wanted);
    common_options_finish(&common);
    return result;
}

bool play_is_handed(const char *argument)
{
    return window_is_from_desktop() && platform_exists(argument);
}

int play_first_page(int count, char **files)
{
    char first_page[] = "--first-page";
    if (!window_has_display())
        return no_subcommand();
    char **arguments = mmd_alloc(((size_t)(count > 0 ? count : 0) + 2) * sizeof *arguments);
    if (!arguments) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    int used = 0;
    arguments[used++] = first_page;
    for (int i = 0; i < count; i++)
        arguments[used++] = files[i];
    arguments[used] = NULL;
    const int result = play_main(used, arguments);
    mmd_free(arguments);
    return result;
}
