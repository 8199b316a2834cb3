/* The logging callback. Nothing in the engine prints; it tells the callback. */
#ifndef MMD_LOG_H
#define MMD_LOG_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mmd_log_level { MMD_LOG_ERROR, MMD_LOG_WARNING, MMD_LOG_INFO, MMD_LOG_DEBUG } mmd_log_level;

/*
 * Where messages go. The struct is copied by those who keep it; user must
 * outlive them. write may be NULL: nothing is logged. It may be called from
 * any thread that calls into the engine, one message a call, without a line
 * feed, UTF-8.
 */
typedef struct mmd_log {
    void (*write)(void *user, mmd_log_level level, const char *text);
    void *user;
    mmd_log_level level; /* messages above this level are not formatted at all */
} mmd_log;

/* Formats and sends one message. log may be NULL. Messages over 1,000 bytes are cut. */
void mmd_log_message(const mmd_log *log, mmd_log_level level, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#ifdef __cplusplus
}
#endif

#endif
