/* Access to the player's parts of a session. */
#include "player_internal.h"

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
