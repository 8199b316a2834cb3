/*
 * Weights of a model's motions, and fades from one dance to the next. A fade is part of the scene: motions
 * that were danced before (faded_motion) give way to the others between two frames, and bodies start where
 * they were. So it is drawn alike however its frames are reached.
 */
#ifndef ODORI_FADE_H
#define ODORI_FADE_H

#include "scene.h"

#define FADE_SECONDS_MAX 60.0
#define FADE_FRAMES_MAX  7200.0 /* the longest at the highest speed of playing */

/*
 * Finds a motion of a model by its number: motions that move the model, as their files were opened, then that
 * of new keyframes. Motions that fade out are not counted. Returns false if there are fewer. *slot receives
 * its index in mmd_actor_motions.
 */
bool fade_find_motion(const odori_scene *s, size_t model, size_t number, size_t *slot);

/* Finds likewise one of the scene's motions by its index; false if it does not move the model. */
bool fade_find_source(const odori_scene *s, size_t model, size_t source, size_t *slot);

/* Tests whether a motion of the scene moves a model, but was switched off: its weight is 0. */
bool fade_is_off(const odori_scene *s, size_t model, size_t source);

/* Counts the motions of a model that have numbers, without that of new keyframes. */
size_t fade_count_motions(const odori_scene *s, size_t model);

/* Returns the name of a model's motion by its number: that of its file; "" if it has none. */
const char *fade_motion_name(const odori_scene *s, size_t model, size_t number);

/*
 * Makes a motion of a model one that was danced before. It leaves the scene's list; its camera and light are
 * no longer used. Returns false with a sentence in *why if it has no file of its own or moves several models.
 */
bool fade_out(odori_scene *s, size_t model, size_t number, const mmd_fade *fade, const char **why);

/* The frame with which a scene begins, and the length of the fade from there. */
typedef struct fade_span {
    double start, frames;
} fade_span;

/*
 * Lets a scene that is about to replace another one begin with a fade from it. Each dancer of the same file
 * goes on from the pose that it has there at the frame of its stage. Bodies go on from their places and
 * velocities if the scene begins at frame 0; where it begins later, they have followed the end of the dance
 * before, which is played up to there. Camera, light and everything else are cut. Keeps copies of the
 * motions. The frame of `to` must be set again. Returns whether any dancer fades; without memory some do not.
 */
bool fade_scenes(odori_scene *to, odori_scene *from, const fade_span *span);

/* Removes all fades and starts of bodies; the stage is at frame 0 then, if there were any. Returns whether
 * there were. */
bool fade_end(odori_scene *s);

/* Destroys the list, with the scene. */
void fades_finish(odori_scene *s);

#endif
