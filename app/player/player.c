/* Access to the player's parts of a session. */
#include "player_internal.h"

#include "window.h"

player_parts *player_of(const odori_session *s)
{
    return document_of(s)->player;
}

struct odori_window *player_window(const odori_session *s)
{
    const player_parts *player = player_of(s);
    return player ? player->window : NULL;
}

struct odori_inspection *player_inspection(const odori_session *s)
{
    const player_parts *player = player_of(s);
    return player ? player->inspection : NULL;
}

gizmo_mouse_view player_view(const odori_session *s)
{
    uint32_t width = 0, height = 0;
    if (player_window(s))
        window_pixels(player_window(s), &width, &height);
    return width && height ? window_view(player_window(s), &s->panels) : (gizmo_mouse_view){0};
}

void player_follow_layout(odori_session *s)
{
    s->changed = true;
    if (player_window(s))
        window_follow_layout(player_window(s), s);
}
