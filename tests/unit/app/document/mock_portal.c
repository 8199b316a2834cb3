/*
 * mock_portal MODE LOG [URI...]: takes the place of the desktop's portal on the session bus, for tests. It
 * appends what it is asked to LOG, one line for each argument and option, and prints "ready" once it has its
 * name.
 *
 *   answer    answers OpenFile and SaveFile at once with the URIs
 *   early     sends the answer before the call returns
 *   cancel    answers that the user cancelled
 *   error     answers that something else ended the dialog
 *   old       returns a path of its own for the request, and answers from there
 *   refuse    refuses the call with an error
 *   wait      answers nothing until Close is called
 *   vanish    ends after the call has returned
 *   strange   another connection sends an answer first; then as `answer`
 *   absent    has its name but not the interface
 *   silent    never replies to anything
 */
#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORTAL_NAME       "org.freedesktop.portal.Desktop"
#define CHOOSER_INTERFACE "org.freedesktop.portal.FileChooser"
#define REQUEST_INTERFACE "org.freedesktop.portal.Request"

typedef struct mock {
    DBusConnection *bus;
    const char *mode;
    FILE *log;
    char **uris;
    int uri_count;
    bool ends;
} mock;

static bool is_mode(const mock *m, const char *mode)
{
    return strcmp(m->mode, mode) == 0;
}

/* --- Writing down what is asked --- */

static void log_value(FILE *log, DBusMessageIter *value);

/* Writes an array: bytes as a text whose NULs are written as \0, others in brackets. */
static void log_array(FILE *log, DBusMessageIter *value)
{
    DBusMessageIter items;
    int of = dbus_message_iter_get_element_type(value);
    dbus_message_iter_recurse(value, &items);
    if (of == DBUS_TYPE_BYTE) {
        const char *bytes;
        int count = 0;
        dbus_message_iter_get_fixed_array(&items, &bytes, &count);
        for (int i = 0; i < count; i++)
            if (bytes[i])
                fputc(bytes[i], log);
            else
                fputs("\\0", log);
        return;
    }
    fputc('[', log);
    for (; dbus_message_iter_get_arg_type(&items) != DBUS_TYPE_INVALID; dbus_message_iter_next(&items))
        log_value(log, &items);
    fputc(']', log);
}

static void log_struct(FILE *log, DBusMessageIter *value)
{
    DBusMessageIter members;
    dbus_message_iter_recurse(value, &members);
    fputc('(', log);
    for (; dbus_message_iter_get_arg_type(&members) != DBUS_TYPE_INVALID; dbus_message_iter_next(&members)) {
        log_value(log, &members);
        if (dbus_message_iter_has_next(&members))
            fputc(' ', log);
    }
    fputc(')', log);
}

static void log_value(FILE *log, DBusMessageIter *value)
{
    const char *text;
    dbus_uint32_t number;
    switch (dbus_message_iter_get_arg_type(value)) {
    case DBUS_TYPE_STRING:
        dbus_message_iter_get_basic(value, &text);
        fputs(text, log);
        break;
    case DBUS_TYPE_UINT32:
    case DBUS_TYPE_BOOLEAN:
        dbus_message_iter_get_basic(value, &number);
        fprintf(log, "%u", (unsigned)number);
        break;
    case DBUS_TYPE_ARRAY:
        log_array(log, value);
        break;
    default:
        log_struct(log, value);
    }
}

/* Writes the arguments of a call. Returns the handle token. */
static const char *log_call(mock *m, DBusMessage *call)
{
    DBusMessageIter arguments, options;
    const char *parent, *title, *name, *token = "";
    dbus_message_iter_init(call, &arguments);
    dbus_message_iter_get_basic(&arguments, &parent);
    dbus_message_iter_next(&arguments);
    dbus_message_iter_get_basic(&arguments, &title);
    dbus_message_iter_next(&arguments);
    fprintf(m->log, "%s\nparent: %s\ntitle: %s\n", dbus_message_get_member(call), parent, title);
    dbus_message_iter_recurse(&arguments, &options);
    for (; dbus_message_iter_get_arg_type(&options) != DBUS_TYPE_INVALID; dbus_message_iter_next(&options)) {
        DBusMessageIter entry, value;
        dbus_message_iter_recurse(&options, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &value);
        if (strcmp(name, "handle_token") == 0)
            dbus_message_iter_get_basic(&value, &token);
        fprintf(m->log, "%s: ", name);
        log_value(m->log, &value);
        fputc('\n', m->log);
    }
    fflush(m->log);
    return token;
}

/* --- Answering --- */

static void send(DBusConnection *bus, DBusMessage *message)
{
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
    dbus_connection_flush(bus);
}

static void send_error(const mock *m, DBusMessage *call, const char *name, const char *text)
{
    send(m->bus, dbus_message_new_error(call, name, text));
}

/* Sends a Response with a code and URIs. */
static void send_response(DBusConnection *bus, const char *path, dbus_uint32_t code, char *const *uris,
                          int count)
{
    DBusMessageIter arguments, results, entry, value, list;
    const char *name = "uris";
    DBusMessage *signal = dbus_message_new_signal(path, REQUEST_INTERFACE, "Response");
    dbus_message_iter_init_append(signal, &arguments);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &code);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &results);
    if (count) {
        dbus_message_iter_open_container(&results, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
        dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
        dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &value);
        dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "s", &list);
        for (int i = 0; i < count; i++)
            dbus_message_iter_append_basic(&list, DBUS_TYPE_STRING, &uris[i]);
        dbus_message_iter_close_container(&value, &list);
        dbus_message_iter_close_container(&entry, &value);
        dbus_message_iter_close_container(&results, &entry);
    }
    dbus_message_iter_close_container(&arguments, &results);
    send(bus, signal);
}

/* Sends a cancellation from a connection that is not the portal's, straight to the caller. */
static void send_strange(const char *path, const char *to)
{
    const dbus_uint32_t code = 1;
    DBusMessageIter arguments, results;
    DBusConnection *other = dbus_bus_get_private(DBUS_BUS_SESSION, NULL);
    DBusMessage *signal = dbus_message_new_signal(path, REQUEST_INTERFACE, "Response");
    dbus_connection_set_exit_on_disconnect(other, FALSE);
    dbus_message_set_destination(signal, to);
    dbus_message_iter_init_append(signal, &arguments);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &code);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &results);
    dbus_message_iter_close_container(&arguments, &results);
    send(other, signal);
    dbus_connection_close(other);
    dbus_connection_unref(other);
}

/* Returns the path of the request from a call, as the documentation of the portal predicts it. */
static void predict(DBusMessage *call, const char *token, char path[512])
{
    char sender[128];
    snprintf(sender, sizeof sender, "%s", dbus_message_get_sender(call) + 1);
    for (char *at = sender; *at; at++)
        *at = *at == '.' ? '_' : *at;
    snprintf(path, 512, "/org/freedesktop/portal/desktop/request/%s/%s", sender, token);
}

static void send_path(const mock *m, DBusMessage *call, const char *path)
{
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(reply, DBUS_TYPE_OBJECT_PATH, &path, DBUS_TYPE_INVALID);
    send(m->bus, reply);
}

static void choose(mock *m, DBusMessage *call)
{
    char path[512];
    predict(call, log_call(m, call), path);
    if (is_mode(m, "refuse")) {
        send_error(m, call, "org.freedesktop.portal.Error.NotAllowed", "not today");
        return;
    }
    if (is_mode(m, "old"))
        snprintf(path, sizeof path, "/org/freedesktop/portal/desktop/request/t%d", 1234);
    if (is_mode(m, "early"))
        send_response(m->bus, path, 0, m->uris, m->uri_count);
    send_path(m, call, path);
    if (is_mode(m, "strange"))
        send_strange(path, dbus_message_get_sender(call));
    if (is_mode(m, "old")) /* as long as a user takes to answer */
        dbus_connection_read_write(m->bus, 300);
    if (is_mode(m, "cancel") || is_mode(m, "error"))
        send_response(m->bus, path, is_mode(m, "cancel") ? 1 : 2, NULL, 0);
    else if (is_mode(m, "answer") || is_mode(m, "old") || is_mode(m, "strange"))
        send_response(m->bus, path, 0, m->uris, m->uri_count);
    m->ends = is_mode(m, "vanish");
}

static void send_version(const mock *m, DBusMessage *call)
{
    const dbus_uint32_t version = 3;
    DBusMessageIter arguments, value;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_iter_init_append(reply, &arguments);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_VARIANT, "u", &value);
    dbus_message_iter_append_basic(&value, DBUS_TYPE_UINT32, &version);
    dbus_message_iter_close_container(&arguments, &value);
    send(m->bus, reply);
}

static void handle(mock *m, DBusMessage *message)
{
    if (dbus_message_get_type(message) != DBUS_MESSAGE_TYPE_METHOD_CALL || is_mode(m, "silent"))
        return;
    if (is_mode(m, "absent"))
        send_error(m, message, DBUS_ERROR_UNKNOWN_INTERFACE, "no such interface");
    else if (dbus_message_is_method_call(message, DBUS_INTERFACE_PROPERTIES, "Get"))
        send_version(m, message);
    else if (dbus_message_is_method_call(message, CHOOSER_INTERFACE, "OpenFile") ||
             dbus_message_is_method_call(message, CHOOSER_INTERFACE, "SaveFile"))
        choose(m, message);
    else if (dbus_message_is_method_call(message, REQUEST_INTERFACE, "Close"))
        fprintf(m->log, "Close\n"), fflush(m->log);
}

int main(int argc, char **argv)
{
    mock m = {.mode = argc > 2 ? argv[1] : "answer"};
    m.log = argc > 2 ? fopen(argv[2], "a") : NULL;
    m.bus = dbus_bus_get_private(DBUS_BUS_SESSION, NULL);
    if (!m.log || !m.bus ||
        dbus_bus_request_name(m.bus, PORTAL_NAME, DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) !=
            DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
        fprintf(stderr, "mock_portal: usage, no log, no bus, or the name is taken\n");
        return 1;
    }
    m.uris = argv + 3;
    m.uri_count = argc - 3;
    dbus_connection_set_exit_on_disconnect(m.bus, FALSE);
    puts("ready");
    fflush(stdout);
    while (!m.ends && dbus_connection_read_write(m.bus, -1)) {
        DBusMessage *message;
        while (!m.ends && (message = dbus_connection_pop_message(m.bus))) {
            handle(&m, message);
            dbus_message_unref(message);
        }
    }
    dbus_connection_close(m.bus);
    dbus_connection_unref(m.bus);
    fclose(m.log);
    return 0;
}
