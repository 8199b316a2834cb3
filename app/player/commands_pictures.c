/* Commands for pictures of the window, one pixel of it, and the desktop's clipboard. */
#include "clipboard.h"
#include "player.h"
#include "document/document.h"
#include "inspect.h"
#include "mmd/memory.h"
#include "mmd/text.h"
#include "document/open.h"
#include "base/message.h"
#include "player_internal.h"
#include "edit/pose_file.h"
#include "screenshot.h"
#include "window.h"

static bool refuse_error(const mmd_error *why, char *error)
{
    char sentence[512];
    return refuse_with(error, "%.250s", mmd_error_sentence(why, sentence, sizeof sentence));
}

/* As a screenshot is drawn, without what lies over it; of where it came from it says nothing. */
static bool draw_png(odori_session *s, mmd_buffer *png, char *error)
{
    uint32_t width = 0, height = 0;
    mmd_error why = {0};
    mmd_image image = {0};
    mmd_view_options view = s->view;
    if (player_window(s) && document_of(s)->opener && document_of(s)->opener->screen)
        window_pixels(player_window(s), &width, &height);
    if (width == 0 || height == 0)
        return refuse_with(error, "there is no window to take a picture of");
    view.samples = view.samples ? view.samples : document_of(s)->opener->samples;
    const mmd_png_options options = {.alpha = view.background[3] < 1, .fast = true};
    bool drawn = (mmd_view_picture(document_of(s)->opener->screen->view, s->scene->stage, &view, width, height, &image,
                                   &why) == MMD_OK &&
                  mmd_png_write(&image, &options, png, &why) == MMD_OK) ||
                 refuse_error(&why, error);
    mmd_image_finish(&image);
    s->changed = true;
    return drawn;
}

static bool picture_copy(odori_session *s, const command_arguments *a, char *error)
{
    mmd_buffer png = {0};
    (void)a;
    bool copied = draw_png(s, &png, error) && clipboard_put_png(&png, error);
    if (copied)
        panel_log_tell(s->messages, "the picture of frame %.0f is in the clipboard", s->frame);
    mmd_buffer_finish(&png);
    return copied;
}

/* The clipboard is UTF-8, where files are CP932: nothing but names that no file could say is lost. */
static bool put_pose(odori_session *s, const mmd_buffer *vpd, char *error)
{
    size_t size = mmd_utf8_from_cp932(vpd->data, vpd->size, NULL, 0, NULL);
    char *text = mmd_alloc(size + 1);
    if (!text)
        return refuse_with(error, "out of memory");
    mmd_utf8_from_cp932(vpd->data, vpd->size, text, size, NULL);
    text[size] = '\0';
    bool put = clipboard_put_text(s, text, error);
    mmd_free(text);
    return put;
}

static bool pose_copy(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    mmd_buffer vpd = {0};
    mmd_error why = {0};
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    mmd_status status = pose_file_make(m->actor, true, &vpd, &why);
    bool copied = (status == MMD_OK || status == MMD_ERROR_TEXT || refuse_error(&why, error)) &&
                  put_pose(s, &vpd, error);
    if (copied)
        panel_log_tell(s->messages, "the pose of frame %.0f is in the clipboard", s->frame);
    mmd_buffer_finish(&vpd);
    return copied;
}

static bool pixel_copy(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return inspect_copy(s, error);
}

static bool view_inspect(odori_session *s, const command_arguments *a, char *error)
{
    return inspect_pixel(s, a->number[0], a->number[1], error);
}

static bool view_inspected(odori_session *s, const command_arguments *a, char *error)
{
    if (a->on[0])
        return player_inspection(s) || refuse_with(error, "no pixel was looked at; `view.inspect X Y` does");
    inspect_close(s);
    return true;
}

static bool screenshot(odori_session *s, const command_arguments *a, char *error)
{
    return screenshot_write(s, a->count ? a->word[0] : NULL, error);
}

static bool paste(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return clipboard_paste(s, error);
}

static const command commands[] = {
    {"view.inspect", "rr", "X Y", "tells of a pixel what is seen there, as JSON on stdout (play)",
     view_inspect},
    {"view.inspected", "s", "on|off", "what was told of it is shown in the window, or not any more (play)",
     view_inspected},
    {"screenshot", "?w", "[FILE.png]", "a picture of the window's size, which can be opened again (play)",
     screenshot},
    {"picture.copy", "", "", "a picture of what is seen goes to the clipboard, by wl-copy or xclip (play)",
     picture_copy},
    {"pose.copy", "", "", "the model's pose goes to the clipboard, as the text of a VPD file (play)",
     pose_copy},
    {"pixel.copy", "", "", "what view.inspect found goes to the clipboard, as JSON (play)", pixel_copy},
    {"paste", "", "", "from the clipboard: a pose for the model, or files to open (play)", paste},
};

const command_group commands_of_pictures = {commands, sizeof commands / sizeof *commands};
