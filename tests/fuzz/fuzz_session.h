/* A session with two of a small model and a motion, for targets that run command lines. */
#ifndef ODORI_FUZZ_SESSION_H
#define ODORI_FUZZ_SESSION_H

#include "edit/session.h"

typedef struct fuzz_session {
    odori_scene scene;
    odori_session session;
} fuzz_session;

/* Registers all commands and makes the model and the motion, once for all sessions. Writes the model's file
 * to fuzz_folder as "model.pmx". */
void fuzz_session_prepare(void);

/* Opens a session of that model and the motion, or of the motion alone, without a window and without anything
 * that opens files. */
void fuzz_session_open(fuzz_session *f, bool has_models);
void fuzz_session_close(fuzz_session *f);

/* Runs the lines of a text, except those that write files, load code or play sound. */
void fuzz_session_run(fuzz_session *f, const uint8_t *text, size_t size);

#endif
