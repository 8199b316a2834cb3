/*
 * The dialog of the desktop, as xdg-desktop-portal documents org.freedesktop.portal.FileChooser and
 * org.freedesktop.portal.Request. The call returns the path of a request object, whose signal Response brings
 * the answer. Because the signal may come before the call returns, it is subscribed at the path that the
 * documentation predicts, and at the returned one if an old portal (before 0.9) uses another.
 */
#define _GNU_SOURCE /* pipe2 */
#include "dialog_job.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_uri.h"
#include "bus_linux.h"
#include "mmd/text.h"

#define PORTAL_NAME       "org.freedesktop.portal.Desktop"
#define PORTAL_PATH       "/org/freedesktop/portal/desktop"
#define CHOOSER_INTERFACE "org.freedesktop.portal.FileChooser"
#define REQUEST_INTERFACE "org.freedesktop.portal.Request"
#define NAME_MAX_BYTES    256 /* of a name on the bus, with NUL */

/* Seconds. */
#define PRESENCE_WAIT 1.2 /* until the bus and the portal have shown that they are there */
#define CONNECT_WAIT                                                                                         \
    2.0 /* until the thread counts as hanging, because libdbus connects without a time limit */
#define CALL_WAIT  25.0 /* until the portal has returned the path of the request, as D-Bus waits for calls */
#define CLOSE_WAIT 0.2  /* for writing that the dialog is to be closed */

#define BUS_IS_SILENT "there is no file chooser portal: the session bus does not answer"

enum { END_WAIT_MS = 500 }; /* longest wait for the thread when the player ends: more than CLOSE_WAIT */
enum { TOKEN_MAX = 40, REQUEST_PATH_MAX = 512, RULE_MAX = 1024 };

/* A dialog and the talk about it. */
typedef struct bus_job {
    dialog_job shared;
    pthread_cond_t ends;
    int alarm[2]; /* a pipe: a byte in it cancels */
    char address[BUS_ADDRESS_MAX];
} bus_job;

/* --- The options of the call --- */

/* Opens the value of an entry in a dictionary of options. */
static bool open_option(DBusMessageIter *options, const char *name, const char *type, DBusMessageIter *entry,
                        DBusMessageIter *value)
{
    return dbus_message_iter_open_container(options, DBUS_TYPE_DICT_ENTRY, NULL, entry) &&
           dbus_message_iter_append_basic(entry, DBUS_TYPE_STRING, &name) &&
           dbus_message_iter_open_container(entry, DBUS_TYPE_VARIANT, type, value);
}

static bool close_option(DBusMessageIter *options, DBusMessageIter *entry, DBusMessageIter *value)
{
    return dbus_message_iter_close_container(entry, value) &&
           dbus_message_iter_close_container(options, entry);
}

static bool add_basic(DBusMessageIter *options, const char *name, int type, const void *basic)
{
    const char signature[] = {(char)type, '\0'};
    DBusMessageIter entry, value;
    return open_option(options, name, signature, &entry, &value) &&
           dbus_message_iter_append_basic(&value, type, basic) && close_option(options, &entry, &value);
}

/* Adds a text as an array of bytes with its NUL, as paths are passed. */
static bool add_bytes(DBusMessageIter *options, const char *name, const char *text)
{
    DBusMessageIter entry, value, array;
    return open_option(options, name, "ay", &entry, &value) &&
           dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "y", &array) &&
           dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &text, (int)strlen(text) + 1) &&
           dbus_message_iter_close_container(&value, &array) && close_option(options, &entry, &value);
}

/* Adds a pattern: (0, glob). */
static bool add_pattern(DBusMessageIter *patterns, const char *glob)
{
    const dbus_uint32_t is_glob = 0;
    DBusMessageIter pattern;
    return dbus_message_iter_open_container(patterns, DBUS_TYPE_STRUCT, NULL, &pattern) &&
           dbus_message_iter_append_basic(&pattern, DBUS_TYPE_UINT32, &is_glob) &&
           dbus_message_iter_append_basic(&pattern, DBUS_TYPE_STRING, &glob) &&
           dbus_message_iter_close_container(patterns, &pattern);
}

/* Adds the patterns of all endings of a kind, in any case: "*.[pP][mM][xX]". */
static bool add_patterns_of(DBusMessageIter *patterns, mmd_name_kind kind)
{
    const char *ending;
    for (unsigned i = 0; (ending = mmd_name_kind_ending(kind, i)); i++) {
        char glob[64] = "*.", *at = glob + 2;
        for (; *ending && at + 5 < glob + sizeof glob; ending++) {
            unsigned char c = (unsigned char)*ending;
            at += snprintf(at, 5, isalpha(c) ? "[%c%c]" : "%c", tolower(c), toupper(c));
        }
        if (!add_pattern(patterns, glob))
            return false;
    }
    return true;
}

/* Adds a filter: (name, patterns). */
static bool add_filter(DBusMessageIter *filters, const dialog_filter *f)
{
    DBusMessageIter filter, patterns;
    bool added = dbus_message_iter_open_container(filters, DBUS_TYPE_STRUCT, NULL, &filter) &&
                 dbus_message_iter_append_basic(&filter, DBUS_TYPE_STRING, &f->name) &&
                 dbus_message_iter_open_container(&filter, DBUS_TYPE_ARRAY, "(us)", &patterns) &&
                 (f->kinds || add_pattern(&patterns, "*"));
    for (unsigned kind = 0; added && kind < MMD_NAME_KINDS; kind++)
        if (f->kinds & 1u << kind)
            added = add_patterns_of(&patterns, (mmd_name_kind)kind);
    return added && dbus_message_iter_close_container(&filter, &patterns) &&
           dbus_message_iter_close_container(filters, &filter);
}

static bool add_filters(DBusMessageIter *options, const dialog_request *r)
{
    DBusMessageIter entry, value, filters;
    if (r->filter_count == 0)
        return true;
    bool added = open_option(options, "filters", "a(sa(us))", &entry, &value) &&
                 dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "(sa(us))", &filters);
    for (size_t i = 0; added && i < r->filter_count; i++)
        added = add_filter(&filters, &r->filters[i]);
    return added && dbus_message_iter_close_container(&value, &filters) &&
           close_option(options, &entry, &value);
}

/* Adds the arguments of the call: parent window, title, options. */
static bool add_arguments(DBusMessage *call, const dialog_request *r, const char *token)
{
    char parent[40] = "";
    const char *of = parent;
    const dbus_bool_t yes = TRUE;
    DBusMessageIter arguments, options;
    if (r->parent)
        snprintf(parent, sizeof parent, "x11:%lx", (unsigned long)r->parent);
    dbus_message_iter_init_append(call, &arguments);
    return dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &of) &&
           dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &r->title) &&
           dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options) &&
           add_basic(&options, "handle_token", DBUS_TYPE_STRING, &token) &&
           (!r->multiple || add_basic(&options, "multiple", DBUS_TYPE_BOOLEAN, &yes)) &&
           add_filters(&options, r) && (!r->folder || add_bytes(&options, "current_folder", r->folder)) &&
           (!r->name || add_basic(&options, "current_name", DBUS_TYPE_STRING, &r->name)) &&
           dbus_message_iter_close_container(&arguments, &options);
}

/* --- The talk with the portal, on the thread --- */

typedef struct talk {
    bus bus;
    bus_job *job;
    char owner[NAME_MAX_BYTES];  /* the portal's connection, which alone may answer */
    char path[REQUEST_PATH_MAX]; /* of the request object; "": there is none yet */
    DBusMessage *early;          /* a Response that came before the call returned; NULL: none did */
} talk;

/* Ends the talk with a state and its reason. */
static dialog_state end(talk *t, dialog_state state, const char *why)
{
    return dialog_job_fail(&t->job->shared, state, why);
}

/* Returns the state in which waiting ended without a message. */
static dialog_state end_of_wait(talk *t, bus_event event)
{
    switch (event) {
    case BUS_ALARM:
        return DIALOG_CANCELLED;
    case BUS_LATE:
        return end(t, DIALOG_FAILED, "the desktop's file chooser does not answer");
    case BUS_NO_MEMORY:
        return end(t, DIALOG_FAILED, "out of memory");
    case BUS_MESSAGE:
    case BUS_ENDED:
        break;
    }
    return end(t, DIALOG_FAILED, "the session bus has ended, and with it the desktop's file chooser");
}

/* Returns whether a message says that the portal has lost its name, because it ended. */
static bool is_farewell(const talk *t, DBusMessage *message)
{
    const char *name, *before, *now;
    return t->owner[0] && dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged") &&
           dbus_message_has_sender(message, DBUS_SERVICE_DBUS) &&
           dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &before,
                                 DBUS_TYPE_STRING, &now, DBUS_TYPE_INVALID) &&
           strcmp(name, PORTAL_NAME) == 0 && strcmp(now, t->owner) != 0;
}

/* Returns whether a message is a Response of the portal, to whichever request. */
static bool is_response(const talk *t, DBusMessage *message)
{
    return dbus_message_is_signal(message, REQUEST_INTERFACE, "Response") &&
           dbus_message_has_sender(message, t->owner);
}

/* Waits for the reply to a call. Returns DIALOG_WAITING with the reply, which may be an error. */
static dialog_state wait_for_reply(talk *t, dbus_uint32_t serial, double deadline, DBusMessage **reply)
{
    for (;;) {
        bus_event event = bus_next(&t->bus, deadline, reply);
        if (event != BUS_MESSAGE)
            return end_of_wait(t, event);
        if (dbus_message_get_reply_serial(*reply) == serial)
            return DIALOG_WAITING;
        bool ended = is_farewell(t, *reply);
        if (is_response(t, *reply) && !t->early)
            t->early = dbus_message_ref(*reply);
        dbus_message_unref(*reply);
        *reply = NULL;
        if (ended)
            return end(t, DIALOG_FAILED, "the desktop's file chooser has ended");
    }
}

/* Reads the version of the interface, which shows that it is there, and the name of the portal's connection.
 */
static dialog_state ask_version(talk *t, double deadline)
{
    const char *interface = CHOOSER_INTERFACE, *property = "version";
    dbus_uint32_t serial = 0;
    DBusMessageIter value;
    DBusMessage *reply = NULL;
    DBusMessage *call =
        dbus_message_new_method_call(PORTAL_NAME, PORTAL_PATH, DBUS_INTERFACE_PROPERTIES, "Get");
    if (!call || !dbus_message_append_args(call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property,
                                           DBUS_TYPE_INVALID)) {
        if (call)
            dbus_message_unref(call);
        return end(t, DIALOG_FAILED, "out of memory");
    }
    if (!bus_send(&t->bus, call, &serial))
        return end(t, DIALOG_FAILED, "out of memory");
    dialog_state state = wait_for_reply(t, serial, deadline, &reply);
    if (state != DIALOG_WAITING)
        return state == DIALOG_CANCELLED
                   ? state
                   : end(t, DIALOG_MISSING, "there is no file chooser portal that answers");
    bool is_there = dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_METHOD_RETURN &&
                    dbus_message_get_sender(reply) && dbus_message_iter_init(reply, &value) &&
                    dbus_message_iter_get_arg_type(&value) == DBUS_TYPE_VARIANT;
    if (is_there)
        snprintf(t->owner, sizeof t->owner, "%s", dbus_message_get_sender(reply));
    dbus_message_unref(reply);
    return is_there ? DIALOG_WAITING : end(t, DIALOG_MISSING, "there is no file chooser portal");
}

/* Subscribes the answer of the request object at a path. */
static bool subscribe(talk *t, const char *path)
{
    char rule[RULE_MAX];
    int length =
        snprintf(rule, sizeof rule, "type='signal',sender='%s',interface='%s',member='Response',path='%s'",
                 t->owner, REQUEST_INTERFACE, path);
    return length < RULE_MAX && bus_add_match(&t->bus, rule);
}

/* Makes a token that nobody else uses or guesses, and the path of the request object that it leads to. */
static void predict_path(const talk *t, char token[TOKEN_MAX], char path[REQUEST_PATH_MAX])
{
    uint64_t number = 0;
    const char *own = dbus_bus_get_unique_name(t->bus.connection);
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number)
        number = (uint64_t)getpid();
    snprintf(token, TOKEN_MAX, "odori_%016llx", (unsigned long long)number);
    int length = snprintf(path, REQUEST_PATH_MAX, "%s/request/%s/%s", PORTAL_PATH,
                          own[0] == ':' ? own + 1 : own, token);
    for (char *at = path + strlen(PORTAL_PATH); length < REQUEST_PATH_MAX && *at; at++)
        if (*at == '.')
            *at = '_';
}

/* Takes the path that the call returned. */
static dialog_state take_path(talk *t, DBusMessage *reply)
{
    const char *path;
    if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR) {
        DBusError error = DBUS_ERROR_INIT;
        char why[REFUSAL_MAX];
        dbus_set_error_from_message(&error, reply);
        snprintf(why, sizeof why, "the desktop's file chooser failed: %.180s", error.message);
        dbus_error_free(&error);
        return end(t, DIALOG_FAILED, why);
    }
    if (!dbus_message_get_args(reply, NULL, DBUS_TYPE_OBJECT_PATH, &path, DBUS_TYPE_INVALID) ||
        strlen(path) >= sizeof t->path)
        return end(t, DIALOG_FAILED, "the desktop's file chooser failed: it returned no request");
    if (strcmp(path, t->path) != 0 && !subscribe(t, path))
        return end(t, DIALOG_FAILED, "out of memory");
    snprintf(t->path, sizeof t->path, "%s", path);
    return DIALOG_WAITING;
}

/* Asks for the dialog. */
static dialog_state open_dialog(talk *t)
{
    const dialog_request *r = &t->job->shared.request;
    char token[TOKEN_MAX];
    dbus_uint32_t serial = 0;
    DBusMessage *reply = NULL;
    predict_path(t, token, t->path);
    DBusMessage *call = dbus_message_new_method_call(t->owner, PORTAL_PATH, CHOOSER_INTERFACE,
                                                     r->kind == DIALOG_SAVE ? "SaveFile" : "OpenFile");
    if (!call || !add_arguments(call, r, token)) {
        if (call)
            dbus_message_unref(call);
        return end(t, DIALOG_FAILED, "out of memory");
    }
    if (!subscribe(t, t->path) ||
        !bus_add_match(&t->bus, "type='signal',sender='" DBUS_SERVICE_DBUS "',interface='" DBUS_INTERFACE_DBUS
                                "',member='NameOwnerChanged',arg0='" PORTAL_NAME "'") ||
        !bus_send(&t->bus, call, &serial)) {
        return end(t, DIALOG_FAILED, "out of memory");
    }
    dialog_state state = wait_for_reply(t, serial, clock_seconds() + CALL_WAIT, &reply);
    if (state == DIALOG_WAITING)
        state = take_path(t, reply);
    if (reply)
        dbus_message_unref(reply);
    return state;
}

/* --- The answer --- */

/* Adds the file of a URI to the answer, or counts it as left out. Returns false when out of memory. */
static bool add_uri(dialog_answer *answer, const char *uri)
{
    char path[MMD_FILE_PATH_MAX];
    return dialog_answer_add(answer, file_uri_path(uri, strlen(uri), path) ? path : NULL);
}

/* Adds the files of the entry `uris`. Returns false when out of memory. */
static bool add_uris(dialog_answer *answer, DBusMessageIter *value)
{
    DBusMessageIter uris;
    if (dbus_message_iter_get_arg_type(value) != DBUS_TYPE_ARRAY ||
        dbus_message_iter_get_element_type(value) != DBUS_TYPE_STRING)
        return true;
    dbus_message_iter_recurse(value, &uris);
    for (; dbus_message_iter_get_arg_type(&uris) == DBUS_TYPE_STRING; dbus_message_iter_next(&uris)) {
        const char *uri;
        dbus_message_iter_get_basic(&uris, &uri);
        if (!add_uri(answer, uri))
            return false;
    }
    return true;
}

/* Reads the results of a Response, of which only `uris` is used. Returns false when out of memory. */
static bool read_results(dialog_answer *answer, DBusMessageIter *results)
{
    DBusMessageIter entries;
    dbus_message_iter_recurse(results, &entries);
    for (; dbus_message_iter_get_arg_type(&entries) == DBUS_TYPE_DICT_ENTRY;
         dbus_message_iter_next(&entries)) {
        DBusMessageIter entry, value;
        const char *name;
        dbus_message_iter_recurse(&entries, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &value);
        if (strcmp(name, "uris") == 0 && !add_uris(answer, &value))
            return false;
    }
    return true;
}

/* Reads a Response: its code, and with code 0 the files. */
static dialog_state read_response(talk *t, DBusMessage *response)
{
    dialog_answer *answer = &t->job->shared.answer;
    DBusMessageIter arguments;
    dbus_uint32_t code;
    t->path[0] = '\0'; /* the request object ends with its answer */
    if (!dbus_message_has_signature(response, "ua{sv}"))
        return end(t, DIALOG_FAILED, "the desktop's file chooser failed: its answer cannot be read");
    dbus_message_iter_init(response, &arguments);
    dbus_message_iter_get_basic(&arguments, &code);
    dbus_message_iter_next(&arguments);
    if (code == 1)
        return DIALOG_CANCELLED;
    if (code != 0)
        return end(t, DIALOG_FAILED, "the desktop's file chooser failed");
    if (!read_results(answer, &arguments))
        return end(t, DIALOG_FAILED, "out of memory");
    return answer->paths.count ? DIALOG_CHOSEN
                               : end(t, DIALOG_FAILED, "what was chosen is not a file on this computer");
}

/* Waits for the user. There is no limit. */
static dialog_state wait_for_response(talk *t)
{
    DBusMessage *message = t->early;
    t->early = NULL;
    for (;;) {
        bus_event event = message ? BUS_MESSAGE : bus_next(&t->bus, BUS_NEVER, &message);
        if (event != BUS_MESSAGE)
            return end_of_wait(t, event);
        dialog_state state = DIALOG_WAITING;
        if (is_response(t, message) && dbus_message_has_path(message, t->path))
            state = read_response(t, message);
        else if (is_farewell(t, message))
            state = end(t, DIALOG_FAILED, "the desktop's file chooser has ended");
        dbus_message_unref(message);
        message = NULL;
        if (state != DIALOG_WAITING)
            return state;
    }
}

/* Asks the portal to close the dialog that nobody waits for any more. */
static void close_dialog(talk *t)
{
    DBusMessage *call = dbus_message_new_method_call(t->owner, t->path, REQUEST_INTERFACE, "Close");
    if (call)
        dbus_message_set_no_reply(call, TRUE);
    t->bus.alarm = -1;
    if (bus_send(&t->bus, call, NULL))
        bus_flush(&t->bus, clock_seconds() + CLOSE_WAIT);
}

static dialog_state talk_with_portal(talk *t)
{
    const double deadline = clock_seconds() + PRESENCE_WAIT;
    bus_event event = bus_connect(&t->bus, t->job->address, t->job->alarm[0], deadline);
    pthread_mutex_lock(&t->job->shared.lock);
    t->job->shared.answers_by = INFINITY;
    pthread_mutex_unlock(&t->job->shared.lock);
    if (event == BUS_ALARM || event == BUS_NO_MEMORY)
        return end_of_wait(t, event);
    if (event != BUS_MESSAGE)
        return end(t, DIALOG_MISSING, BUS_IS_SILENT);
    dialog_state state = ask_version(t, deadline);
    if (state == DIALOG_WAITING)
        state = open_dialog(t);
    if (state == DIALOG_WAITING)
        state = wait_for_response(t);
    if (state == DIALOG_CANCELLED && t->path[0])
        close_dialog(t);
    return state;
}

/* --- The job --- */

dialog_state dialog_job_ask(dialog_job *j)
{
    talk t = {.job = (bus_job *)j, .bus.alarm = -1};
    dialog_state state = talk_with_portal(&t);
    if (t.early)
        dbus_message_unref(t.early);
    bus_finish(&t.bus);
    return state;
}

dialog_job *dialog_job_create(dialog_state *state, char *error)
{
    pthread_condattr_t clock;
    char address[BUS_ADDRESS_MAX];
    if (!bus_find_address(address)) {
        refuse_with(error, "there is no file chooser portal: there is no session bus");
        *state = DIALOG_MISSING;
        return NULL;
    }
    bus_job *j = mmd_alloc(sizeof *j);
    if (!j)
        return NULL;
    *j = (bus_job){.shared = {.answers_by = clock_seconds() + CONNECT_WAIT, .silence = BUS_IS_SILENT}};
    memcpy(j->address, address, sizeof address);
    if (pipe2(j->alarm, O_CLOEXEC | O_NONBLOCK) != 0) {
        mmd_free(j);
        return NULL;
    }
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&j->ends, &clock);
    pthread_condattr_destroy(&clock);
    return &j->shared;
}

void dialog_job_destroy(dialog_job *job)
{
    bus_job *j = (bus_job *)job;
    close(j->alarm[0]);
    close(j->alarm[1]);
    pthread_cond_destroy(&j->ends);
    mmd_free(j);
}

void dialog_job_cancel(dialog_job *j)
{
    if (write(((bus_job *)j)->alarm[1], "", 1) < 0)
        return; /* a full pipe has a byte in it already */
}

void dialog_job_signal(dialog_job *j)
{
    pthread_cond_signal(&((bus_job *)j)->ends);
}

void dialog_job_wait(dialog_job *j)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += END_WAIT_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&j->lock);
    while (!j->done && pthread_cond_timedwait(&((bus_job *)j)->ends, &j->lock, &until) == 0) {
        /* woken without a reason */
    }
    pthread_mutex_unlock(&j->lock);
}

/* --- The player's side --- */

bool dialog_is_likely(void)
{
    char address[BUS_ADDRESS_MAX];
    return bus_find_address(address);
}
