/*
 * The parts of the band, each playing its whole piece on a silent track of its
 * own, and how loud each is in the mix. Add an instrument: write what plays it
 * and give it a line in the table of music_mix.c.
 */
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

/* A track that is still silent. */
music_track music_track_make(mmd_arena *arena);

/* The whole band, before mastering. Working memory comes from the arena. */
music_track music_mix(mmd_arena *arena);

/* Adds the sound of a room in which `dry` plays. */
void music_reverb(mmd_arena *arena, const music_track *dry, music_track *wet);

/* Turns a track into echoes of itself, left and right in turns. */
void music_echo(music_track *track);

/* As loud as it gets without going over the ceiling (1 dB below full scale), and faded out at the end. */
void music_master(mmd_arena *arena, music_track *track);

#endif
