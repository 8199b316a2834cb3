/* The logging callback. The engine prints nothing; it passes messages to the callback. */
#ifndef MMD_LOG_H
#define MMD_LOG_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mmd_log_level { MMD_LOG_ERROR, MMD_LOG_WARNING, MMD_LOG_INFO, MMD_LOG_DEBUG } mmd_log_level;

/*
 * The receiver of messages. Zeroed is valid and logs nothing. Objects that log copy the struct; user must
 * outlive them. write may be NULL to log nothing. It is called on any thread that calls into the engine, once
 * per message, with UTF-8 text without a line feed.
 */
typedef struct mmd_log {
    void (*write)(void *user, mmd_log_level level, const char *text);
    void *user;
    mmd_log_level level; /* messages above this level are not even formatted */
} mmd_log;

/* Formats and sends a message, cut at 2,000 bytes. log may be NULL. */
void mmd_log_message(const mmd_log *log, mmd_log_level level, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 3, 4)))
#endif
    ;

#ifdef __cplusplus
}
#endif

#endif
