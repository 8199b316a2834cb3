/* The instruments. Each plays its whole part on a track of its own. To add an instrument, write what plays it
 * and add a line to the table in music_mix.c. */
#ifndef DANCER_MUSIC_PARTS_H
#define DANCER_MUSIC_PARTS_H

#include "music_kit.h"

#include "mmd/memory.h"

void music_drums(music_track *track);
void music_bass(music_track *track);
void music_pad(music_track *track);
void music_piano(music_track *track);
void music_pluck(music_track *track);
void music_strings(music_track *track);
void music_bell(music_track *track);
void music_lead(music_track *track);
void music_choir(music_track *track);
void music_effects(music_track *track);

/* Returns a silent track. */
music_track music_track_make(mmd_arena *arena);

/* Returns the whole band before mastering. Working memory comes from the arena. */
music_track music_mix(mmd_arena *arena);

/* Adds the reverb of a room in which `dry` plays. */
void music_reverb(mmd_arena *arena, const music_track *dry, music_track *wet);

/* Replaces a track by its echoes, alternating left and right. */
void music_echo(music_track *track);

/*
 * Makes the track as loud as possible below the ceiling (1 dB below full scale), and fades it out at the end.
 */
void music_master(mmd_arena *arena, music_track *track);

#endif
