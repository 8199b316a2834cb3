#include "mascot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "advance.h"
#include "base/clock.h"
#include "base/message.h"
#include "command/commands.h"
#include "document/audio.h"
#include "document/open.h"
#include "mascot_system.h"
#include "mmd/elementary.h"
#include "mmd/gpu_objects.h"
#include "mmd/memory.h"
#include "player_internal.h"
#include "recipe/draw.h"
#include "ui/ui.h"
#include "window.h"

/* Seconds. */
#define SHAPE_INTERVAL  0.2 /* between updates of the part that takes the mouse, while she moves */
#define SYSTEM_INTERVAL 1.0 /* between looks whether a compositor runs */
#define STILL_WAIT      1.0 /* longest wait for events while nothing moves */
#define HIDDEN_WAIT     0.1 /* between steps while the window is hidden */
#define SIMULATE_BUDGET 0.1 /* longest time that simulating to a distant frame may take at once */
#define COST_AFTER      1.0 /* of dancing, before its cost is measured: shaders are compiled then */
#define COST_SECONDS    5.0 /* for which it is measured */

/* Shares of the monitor's work area: usual height, largest width, distance from its right border. */
#define USUAL_HEIGHT  0.45
#define USUAL_WIDTH   0.6
#define USUAL_ASIDE   0.05
#define SIZE_A_NOTCH  1.1  /* factors of the size: by a notch of the wheel, */
#define SIZE_A_CHOICE 1.25 /* and by a line of the menu */

enum {
    SIZE_LEAST = 64, /* pixels along a side, by wheel and menu */
    SNAP = 24,       /* points from the lower edge from which she falls on it */
    LEFT_BUTTON = 0,
    RIGHT_BUTTON = 1
};

/* What drawing by the CPU costs. */
typedef struct mascot_cost {
    double wall, cpu;        /* at the last look, seconds */
    double danced, measured; /* seconds of dancing so far; those that count */
    double spent;            /* seconds of the CPU in those */
    unsigned pictures;       /* drawn in those */
    bool told;
} mascot_cost;

/* Changes when another dance takes the place of the present one. */
typedef struct dance_identity {
    const mmd_model *model;
    const mmd_motion *motion;
    size_t models, motions;
} dance_identity;

struct odori_mascot {
    odori_window *window;
    odori_session *session;
    odori_screen screen;
    mascot_system *system; /* NULL: none */
    const mascot_plan *plan;
    const view_options *asked; /* on the command line */
    dance_box box;             /* of the dance that is shown */
    dance_identity dance;      /* which that is */
    mmd_camera camera;         /* that she set; another one is the user's */
    double aspect;             /* of the window, which changes of its size keep */
    odori_ui *ui;              /* created when the menu is first opened; or NULL */
    bool has_menu;             /* it is open */
    double menu_at[2];         /* pixels */
    bool drags;
    double grip[2]; /* where the window is dragged, from its top left */
    bool is_see_through;
    uint32_t samples;       /* of a pixel */
    mmd_gpu_target drawn;   /* the picture with its samples; unused without */
    mmd_gpu_target picture; /* the picture that is copied to the window */
    uint8_t *pixels;        /* of it */
    size_t pixel_room;
    mascot_shape shape, next; /* that takes the mouse, and room for the next one */
    uint32_t size[2];         /* of the last frame, pixels */
    window_area place;        /* of the window at that frame */
    double interval;          /* seconds from one frame to the next, at least */
    double last, turn, shape_time, system_time;
    rate_governor governor;
    mascot_cost cost;
};

/* --- The stage --- */

mmd_status mascot_measure(mascot_plan *plan, odori_scene *scene, mmd_error *error)
{
    return dance_box_find(scene, &plan->box, error);
}

/* Returns the aspect ratio of the window. */
static double aspect_of(const mascot_plan *plan)
{
    return plan->size.width ? (double)plan->size.width / plan->size.height : dance_box_aspect(&plan->box);
}

/* Sets what she is drawn in front of, where no option did. */
static void clear_background(odori_session *s, const view_options *asked)
{
    if (!asked->background) {
        memset(s->view.background, 0, sizeof s->view.background);
        s->view.background_pictures = false;
    }
    if (!asked->ground_shadow)
        s->view.ground_shadow = false;
}

void mascot_dress(const mascot_plan *plan, recipe_stage *stage)
{
    odori_session *s = &stage->session;
    const mmd_camera camera = dance_box_camera(&plan->box, aspect_of(plan));
    session_set_camera(s, &camera);
    s->aspect = aspect_of(plan);
    s->panels.shown = s->panels.sheet = false;
    s->panels.hides_timeline = true;
    clear_background(s, &stage->recipe.view);
}

static dance_identity identity_of(const odori_scene *s)
{
    return (dance_identity){.model = s->model_count ? s->models[0].model : NULL,
                            .motion = s->motion_count ? s->motions[0].motion : NULL,
                            .models = s->model_count,
                            .motions = s->motion_count};
}

/* Sets the camera for the window's size, unless the user has set another one. */
static void follow_size(odori_mascot *m)
{
    const mmd_camera *now = mmd_stage_camera_by_hand(m->session->scene->stage);
    m->session->aspect = (double)m->size[0] / m->size[1];
    if (!now || now->perspective || now->distance != m->camera.distance ||
        memcmp(now->position, m->camera.position, sizeof now->position) != 0 ||
        memcmp(now->rotation, m->camera.rotation, sizeof now->rotation) != 0)
        return;
    m->camera = dance_box_camera(&m->box, m->session->aspect);
    session_set_camera(m->session, &m->camera);
}

/* --- The window --- */

/* Returns a size of her aspect ratio and this height, within the limits. */
static picture_size size_of(const odori_mascot *m, double height)
{
    const window_area area = window_work_area(m->window);
    const double most = area.height > SIZE_LEAST ? area.height : 16384;
    const double high = mmd_min(mmd_max(round(height), SIZE_LEAST), most);
    return (picture_size){(uint32_t)mmd_max(round(high * m->aspect), SIZE_LEAST), (uint32_t)high};
}

/* Puts the window to the lower edge of its monitor, near the right border, in its first size. */
static void put_down(odori_mascot *m)
{
    const window_area area = window_work_area(m->window);
    picture_size size = m->plan->size;
    if (!size.width) {
        double height = USUAL_HEIGHT * area.height;
        size = size_of(m, mmd_min(height, USUAL_WIDTH * area.width / m->aspect));
    }
    window_set_size(m->window, size.width, size.height);
    if (area.height)
        window_move(m->window, area.x + area.width - (int)size.width - (int)(USUAL_ASIDE * area.width),
                    area.y + area.height - (int)size.height);
}

/* Notes the size of the window, and keeps the middle of its lower edge where it was when the size changes. */
static void follow_window(odori_mascot *m, uint32_t width, uint32_t height)
{
    const window_area place = window_place(m->window);
    if (m->size[0] && (place.width != m->place.width || place.height != m->place.height))
        window_move(m->window, place.x + (m->place.width - place.width) / 2,
                    place.y + m->place.height - place.height);
    m->place = place;
    m->size[0] = width;
    m->size[1] = height;
    m->shape_time = 0;
    follow_size(m);
}

/* Finds the room of the next dance of a playlist, and shows it from the front in a window of that
 * aspect ratio. */
static void follow_dance(odori_mascot *m)
{
    odori_session *s = m->session;
    mmd_error error = {0};
    const dance_identity dance = identity_of(s->scene);
    if (dance.model == m->dance.model && dance.motion == m->dance.motion && dance.models == m->dance.models &&
        dance.motions == m->dance.motions)
        return;
    m->dance = dance;
    if (dance_box_find(s->scene, &m->box, &error) != MMD_OK)
        report(&error);
    session_go(s, s->frame);
    m->camera = dance_box_camera(&m->box, s->aspect);
    session_set_camera(s, &m->camera);
    clear_background(s, m->asked);
    if (m->plan->size.width)
        return;
    m->aspect = dance_box_aspect(&m->box);
    const picture_size size = size_of(m, m->place.height);
    window_set_size(m->window, size.width, size.height);
}

/* Looks whether what is behind the window is seen. */
static void look_at_system(odori_mascot *m, double now)
{
    if (now - m->system_time < SYSTEM_INTERVAL)
        return;
    m->system_time = now;
    const bool is_see_through = window_is_see_through(m->window);
    m->session->changed |= is_see_through != m->is_see_through;
    m->is_see_through = is_see_through;
}

/* --- Events --- */

void mascot_close_menu(odori_mascot *m)
{
    if (!m || !m->has_menu)
        return;
    ui_hide(m->ui);
    m->has_menu = false;
    m->session->changed = true;
}

static void open_menu(odori_mascot *m, const double pixel[2])
{
    if (!m->ui)
        m->ui = ui_create();
    m->has_menu = m->ui != NULL;
    if (!m->has_menu)
        return;
    m->menu_at[0] = pixel[0];
    m->menu_at[1] = pixel[1];
    ui_on_move(m->ui, pixel[0], pixel[1]);
    m->session->changed = true;
}

/* Ends a drag. Near the lower edge the window falls on it. */
static void let_go(odori_mascot *m)
{
    const window_area area = window_work_area(m->window), place = window_place(m->window);
    const int below = area.y + area.height - (place.y + place.height);
    m->drags = false;
    if (area.height && abs(below) <= SNAP * window_point(m->window, &m->session->panels))
        window_move(m->window, place.x, place.y + below);
}

bool mascot_take_button(odori_mascot *m, int button, bool down, const double pixel[2])
{
    if (!m)
        return false;
    if (!down && button == LEFT_BUTTON && m->drags)
        let_go(m);
    if (m->has_menu && (!down || ui_has_pointer(m->ui, pixel[0], pixel[1]))) {
        ui_on_button(m->ui, button, down);
        return true;
    }
    if (down)
        mascot_close_menu(m);
    if (down && button == RIGHT_BUTTON)
        open_menu(m, pixel);
    if (down && button == LEFT_BUTTON) {
        m->drags = true;
        window_find_pointer(m->window, m->grip);
    }
    return true;
}

bool mascot_take_move(odori_mascot *m, const double pixel[2])
{
    if (m && m->has_menu)
        ui_on_move(m->ui, pixel[0], pixel[1]);
    if (!m || !m->drags)
        return m != NULL;
    /* The event's position is of the time before the last move of the window. */
    double at[2];
    window_find_pointer(m->window, at);
    const int x = (int)round(at[0] - m->grip[0]), y = (int)round(at[1] - m->grip[1]);
    const window_area place = window_place(m->window);
    if (x || y)
        window_move(m->window, place.x + x, place.y + y);
    return true;
}

bool mascot_take_wheel(odori_mascot *m, double notches)
{
    if (!m || m->has_menu)
        return m != NULL;
    const picture_size size = size_of(m, m->place.height * mmd_exp(notches * mmd_ln(SIZE_A_NOTCH)));
    command_format(m->session, "window.size %u %u", size.width, size.height);
    return true;
}

bool mascot_take_key(odori_mascot *m, const char *name)
{
    if (m && strcmp(name, "Escape") == 0) {
        if (m->has_menu)
            mascot_close_menu(m);
        else
            m->session->quit = true;
        return true;
    }
    if (m && strcmp(name, "Menu") == 0) {
        open_menu(m, (const double[2]){m->size[0] / 2.0, m->size[1] / 2.0});
        return true;
    }
    return false;
}

bool mascot_allows(const odori_mascot *m, const char *command)
{
    static const char *const allowed[] = {"play", "pause", "frame.", "audio.", "quit"};
    bool allows = !m;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed && !allows; i++)
        allows = strncmp(command, allowed[i], strlen(allowed[i])) == 0;
    return allows;
}

/* --- Drawing --- */

/* Draws the menu and runs the command that was chosen, which closes it. */
static void draw_menu(odori_mascot *m)
{
    const odori_audio *audio = document_of(m->session)->audio;
    const picture_size larger = size_of(m, m->place.height * SIZE_A_CHOICE),
                       smaller = size_of(m, m->place.height / SIZE_A_CHOICE);
    const ui_menu menu = {.x = m->menu_at[0],
                          .y = m->menu_at[1],
                          .plays = m->session->playing,
                          .has_sound = audio && *audio_path(audio),
                          .is_muted = audio && audio_is_muted(audio),
                          .larger = {larger.width, larger.height},
                          .smaller = {smaller.width, smaller.height}};
    const ui_scene scene = {.settings = &m->session->panels};
    const ui_display display = {.width = m->size[0],
                                .height = m->size[1],
                                .scale = window_point(m->window, &m->session->panels),
                                .seconds = clock_seconds()};
    ui_menu_frame(m->ui, &scene, &display, &menu);
    const char *line = ui_next_line(m->ui);
    if (!line)
        return;
    command_by_hand(m->session, line);
    mascot_close_menu(m);
}

/* Draws the scene to the picture. Fails with errors of mmd_gpu_target_resize and mmd_view_draw. */
static mmd_status draw_scene(odori_mascot *m, mmd_error *error)
{
    static const float pale[4] = {0.88f, 0.91f, 0.96f, 1};
    mmd_gpu *gpu = m->screen.gpu;
    mmd_view_options view = m->session->view;
    mmd_gpu_target *target = m->samples > 1 ? &m->drawn : &m->picture;
    if (!m->is_see_through && view.background[3] < 1)
        memcpy(view.background, pale, sizeof pale);
    mmd_status status = mmd_gpu_target_resize(gpu, &m->picture, m->size[0], m->size[1], 1, error);
    if (status == MMD_OK && m->samples > 1)
        status = mmd_gpu_target_resize(gpu, &m->drawn, m->size[0], m->size[1], m->samples, error);
    if (status == MMD_OK)
        status = mmd_view_draw(m->screen.view, m->session->scene->stage, &view, target->framebuffer,
                               m->size[0], m->size[1], error);
    return status == MMD_OK && m->samples > 1
               ? mmd_gpu_target_copy_from(gpu, &m->picture, m->drawn.framebuffer, error)
               : status;
}

/* Reads the picture, and the menu over it, and sets the part that takes the mouse. Returns false if out of
 * memory.
 */
static bool update_shape(odori_mascot *m)
{
    const size_t wanted = (size_t)4 * m->size[0] * m->size[1];
    if (wanted > m->pixel_room) {
        uint8_t *grown = mmd_realloc(m->pixels, wanted);
        if (!grown)
            return false;
        m->pixels = grown;
        m->pixel_room = wanted;
    }
    if (m->has_menu)
        mmd_gpu_target_copy_from(m->screen.gpu, &m->picture, 0, NULL);
    mmd_gpu_target_read(m->screen.gpu, &m->picture, m->pixels);
    if (!mascot_shape_find(&m->next, m->pixels, m->size[0], m->size[1]))
        return false;
    if (mascot_shape_equal(&m->shape, &m->next))
        return true;
    const mascot_shape old = m->shape;
    m->shape = m->next;
    m->next = old;
    mascot_system_set_shape(m->system, &m->shape);
    return true;
}

/* Updates the part of the window that takes the mouse, if that is due. */
static void follow_shape(odori_mascot *m, double now)
{
    if (!m->system || (now - m->shape_time < SHAPE_INTERVAL && advance_is_moving(m->session)))
        return;
    m->shape_time = now;
    if (update_shape(m))
        return;
    message("out of memory: the whole window takes the mouse");
    mascot_system_close(m->system);
    m->system = NULL;
}

/* Draws a frame. Returns an exit code. */
static int draw(odori_mascot *m, double now)
{
    uint32_t width, height;
    mmd_error error = {0};
    window_pixels(m->window, &width, &height);
    if (!width || !height)
        return EXIT_DONE;
    const bool is_new = width != m->size[0] || height != m->size[1];
    follow_dance(m);
    if (is_new)
        follow_window(m, width, height);
    m->session->changed = is_new; /* drivers notice a new size only in the swap, so it is drawn again */
    if (draw_scene(m, &error) != MMD_OK ||
        mmd_gpu_target_copy_to(m->screen.gpu, &m->picture, 0, &error) != MMD_OK)
        return draw_failed(&error);
    if (m->has_menu)
        draw_menu(m);
    follow_shape(m, now);
    window_swap(m->window);
    m->cost.pictures++;
    return EXIT_DONE;
}

/* --- The loop --- */

static bool is_software(const char *renderer)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "Software Rasterizer",
                                        "SwiftShader"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(renderer, names[i]))
            return true;
    return false;
}

/* Measures what dancing costs, and prints it once if the CPU draws. */
static void note_cost(odori_mascot *m, double now, bool dances)
{
    mascot_cost *c = &m->cost;
    struct timespec t;
    if (c->told || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0)
        return;
    const double cpu = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    const bool counts = dances && c->danced >= COST_AFTER;
    if (dances)
        c->danced += now - c->wall;
    if (counts) {
        c->measured += now - c->wall;
        c->spent += cpu - c->cpu;
    } else if (c->measured <= 0) {
        c->pictures = 0;
    }
    c->wall = now;
    c->cpu = cpu;
    if (c->measured < COST_SECONDS)
        return;
    c->told = true;
    message(
        "the CPU draws the mascot: %.0f %% of a core for %.0f pictures a second of %u x %u pixels; --msaa 1, "
        "a lower --fps or --edge off costs less",
        100 * c->spent / c->measured, c->pictures / c->measured, m->size[0], m->size[1]);
}

/* Returns whether a frame has to be drawn. */
static bool wants_picture(const odori_mascot *m)
{
    return m->session->changed || (m->has_menu && ui_is_unsettled(m->ui));
}

/* Runs the loop until the user quits or drawing fails. Returns the exit code. */
static int run(odori_mascot *m)
{
    odori_session *s = m->session;
    int result = EXIT_DONE;
    m->last = m->cost.wall = clock_seconds();
    while (result == EXIT_DONE && !s->quit) {
        const bool hidden = window_is_hidden(m->window), moves = advance_is_moving(s);
        const bool still = !moves && s->arrived && (hidden || !wants_picture(m));
        window_events(m->window, still ? STILL_WAIT : hidden ? HIDDEN_WAIT : m->turn - clock_seconds());
        const double now = clock_seconds();
        s->quit |= window_wants_close(m->window);
        look_at_system(m, now);
        if (!still && !hidden && now < m->turn)
            continue; /* an event came before the next frame is due */
        if (!s->arrived)
            session_arrive(s);
        advance_session(&m->governor, s, now, still ? 0 : now - m->last);
        m->last = now;
        note_cost(m, now, moves && !hidden && !still);
        if (!hidden && wants_picture(m)) {
            m->turn = mmd_max(m->turn + m->interval, now);
            result = draw(m, now);
        }
    }
    return result;
}

/* Tells what the window system lacks. */
static void tell_system(const odori_mascot *m)
{
    if (!m->system)
        message(
            "--mascot: this window system (not X11) lets no program place its window, keep it above others "
            "or pass the mouse on to what is behind");
    if (!m->is_see_through && m->session->view.background[3] < 1)
        message("--mascot: %s", mascot_system_opaque);
}

/* Places and shows the window, and plays. Returns the exit code. */
static int play(odori_mascot *m)
{
    m->interval = 1.0 / (double)(m->plan->fps ? m->plan->fps : MASCOT_FPS);
    m->aspect = aspect_of(m->plan);
    m->box = m->plan->box;
    m->dance = identity_of(m->session->scene);
    m->camera = dance_box_camera(&m->box, m->aspect);
    m->is_see_through = window_is_see_through(m->window);
    m->system = mascot_system_open(m->window);
    m->cost.told = !is_software(mmd_gpu_get_info(m->screen.gpu)->renderer);
    tell_system(m);
    if (m->system)
        mascot_system_keep_above(m->system);
    put_down(m);
    window_set_vsync(m->window, false); /* frames are limited here, and the compositor does not tear them */
    window_connect(m->window, m->session);
    window_set_mascot(m->window, m);
    window_show(m->window);
    m->session->budget_s = SIMULATE_BUDGET;
    const int result = run(m);
    m->session->budget_s = 0;
    window_set_mascot(m->window, NULL);
    window_connect(m->window, NULL);
    mascot_system_close(m->system);
    ui_destroy(m->ui);
    mmd_gpu_target_finish(m->screen.gpu, &m->drawn);
    mmd_gpu_target_finish(m->screen.gpu, &m->picture);
    mascot_shape_finish(&m->shape);
    mascot_shape_finish(&m->next);
    mmd_free(m->pixels);
    return result;
}

int mascot_play(document *own, recipe_stage *stage, const mascot_plan *plan, const mmd_log *log)
{
    mmd_error error = {0};
    odori_mascot m = {.session = &stage->session, .plan = plan, .samples = own->opener->samples};
    player_parts parts = {0};
    m.asked = &stage->recipe.view;
    m.window = parts.window = window_open_mascot(own->opener->name, log);
    if (!m.window) {
        message("--mascot needs a display with OpenGL 3.3");
        return EXIT_FACILITY;
    }
    int result = EXIT_FACILITY;
    if (screen_open_current(&m.screen, &stage->scene, window_gl_loader(), log, &error)) {
        screen_tell_context(&m.screen, log);
        own->opener->screen = &m.screen;
        own->player = &parts;
        result = play(&m);
        own->player = NULL;
        own->opener->screen = NULL;
    } else {
        draw_failed(&error);
    }
    screen_finish(&m.screen);
    window_close(m.window);
    return result;
}
