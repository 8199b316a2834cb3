#include "bus_linux.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "mmd/elementary.h"
#include "mmd/source.h"

#define BUS_NAME      "org.freedesktop.DBus"
#define BUS_PATH      "/org/freedesktop/DBus"
#define BUS_INTERFACE "org.freedesktop.DBus"

/* --- The address --- */

/* Appends an address to a list that semicolons separate, if it fits. */
static void add_address(char list[BUS_ADDRESS_MAX], const char *address, size_t length)
{
    size_t used = strlen(list);
    if (used + length + 2 < BUS_ADDRESS_MAX)
        snprintf(list + used, BUS_ADDRESS_MAX - used, "%s%.*s", used ? ";" : "", (int)length, address);
}

/* Finds the socket that systems with one session of a user have in a known place. */
static bool find_socket(char address[BUS_ADDRESS_MAX])
{
    char path[MMD_FILE_PATH_MAX];
    struct stat about;
    const char *folder = getenv("XDG_RUNTIME_DIR");
    if (!folder || *folder != '/' || snprintf(path, sizeof path, "%s/bus", folder) >= (int)sizeof path ||
        stat(path, &about) != 0 || !S_ISSOCK(about.st_mode))
        return false;
    char *escaped = dbus_address_escape_value(path);
    int length = escaped ? snprintf(address, BUS_ADDRESS_MAX, "unix:path=%s", escaped) : BUS_ADDRESS_MAX;
    dbus_free(escaped);
    return length < BUS_ADDRESS_MAX;
}

bool bus_find_address(char address[BUS_ADDRESS_MAX])
{
    const char *named = getenv("DBUS_SESSION_BUS_ADDRESS");
    *address = '\0';
    if (!named || !*named)
        return find_socket(address);
    for (size_t length; *named; named += length + (named[length] == ';')) {
        length = strcspn(named, ";");
        /* not autolaunch: and unixexec:, which start programs, and not tcp:, on which connecting can take
         * long */
        if (strncmp(named, "unix:", 5) == 0)
            add_address(address, named, length);
    }
    return *address != '\0';
}

/* --- Waiting --- */

static dbus_bool_t add_watch(DBusWatch *watch, void *user)
{
    bus *b = user;
    if (b->watch_count == BUS_WATCHES_MAX)
        return FALSE;
    b->watches[b->watch_count++] = watch;
    return TRUE;
}

static void remove_watch(DBusWatch *watch, void *user)
{
    bus *b = user;
    for (size_t i = 0; i < b->watch_count; i++)
        if (b->watches[i] == watch) {
            b->watches[i] = b->watches[--b->watch_count];
            return;
        }
}

static bool has_watch(const bus *b, const DBusWatch *watch)
{
    for (size_t i = 0; i < b->watch_count; i++)
        if (b->watches[i] == watch)
            return true;
    return false;
}

/* Returns the time until a deadline for poll: milliseconds, rounded up, or -1. */
static int timeout_of(double deadline)
{
    double left = deadline - clock_seconds();
    return deadline < 0 ? -1 : left <= 0 ? 0 : (int)ceil(mmd_min(left, 3600) * 1000);
}

/* Lets libdbus read and write on a descriptor. */
static void handle_watch(DBusWatch *watch, short events)
{
    unsigned flags = 0;
    flags |= events & POLLIN ? DBUS_WATCH_READABLE : 0u;
    flags |= events & POLLOUT ? DBUS_WATCH_WRITABLE : 0u;
    flags |= events & POLLHUP ? DBUS_WATCH_HANGUP : 0u;
    flags |= events & (POLLERR | POLLNVAL) ? DBUS_WATCH_ERROR : 0u;
    if (flags)
        dbus_watch_handle(watch, flags);
}

/* Sleeps until something can be read or written, and does so. BUS_MESSAGE: something was done, perhaps a
 * message has come. */
static bus_event sleep_once(bus *b, double deadline)
{
    struct pollfd polled[BUS_WATCHES_MAX + 1];
    DBusWatch *watches[BUS_WATCHES_MAX];
    nfds_t count = 0;
    for (size_t i = 0; i < b->watch_count; i++) {
        unsigned flags = dbus_watch_get_flags(b->watches[i]);
        if (!dbus_watch_get_enabled(b->watches[i]))
            continue;
        watches[count] = b->watches[i];
        polled[count++] = (struct pollfd){.fd = dbus_watch_get_unix_fd(b->watches[i]),
                                          .events = (short)((flags & DBUS_WATCH_READABLE ? POLLIN : 0) |
                                                            (flags & DBUS_WATCH_WRITABLE ? POLLOUT : 0))};
    }
    polled[count] = (struct pollfd){.fd = b->alarm, .events = POLLIN};
    int ready = poll(polled, count + 1, timeout_of(deadline));
    if (ready < 0)
        return errno == EINTR ? BUS_MESSAGE : BUS_ENDED;
    if (ready == 0)
        return BUS_LATE;
    if (polled[count].revents)
        return BUS_ALARM;
    for (nfds_t i = 0; i < count; i++)
        if (has_watch(b, watches[i])) /* handling one may remove another */
            handle_watch(watches[i], polled[i].revents);
    return BUS_MESSAGE;
}

bus_event bus_next(bus *b, double deadline, DBusMessage **message)
{
    for (;;) {
        *message = dbus_connection_pop_message(b->connection);
        if (*message && !dbus_message_is_signal(*message, DBUS_INTERFACE_LOCAL, "Disconnected"))
            return BUS_MESSAGE;
        if (*message)
            dbus_message_unref(*message);
        *message = NULL;
        if (!dbus_connection_get_is_connected(b->connection))
            return BUS_ENDED;
        bus_event event = sleep_once(b, deadline);
        if (event != BUS_MESSAGE)
            return event;
    }
}

void bus_flush(bus *b, double deadline)
{
    while (dbus_connection_has_messages_to_send(b->connection) &&
           dbus_connection_get_is_connected(b->connection) && sleep_once(b, deadline) == BUS_MESSAGE) {
        /* more may be left to write */
    }
}

/* --- Sending --- */

bool bus_send(bus *b, DBusMessage *message, dbus_uint32_t *serial)
{
    bool sent = message && dbus_connection_send(b->connection, message, serial);
    if (message)
        dbus_message_unref(message);
    return sent;
}

bool bus_add_match(bus *b, const char *rule)
{
    DBusMessage *call = dbus_message_new_method_call(BUS_NAME, BUS_PATH, BUS_INTERFACE, "AddMatch");
    if (!call)
        return false;
    dbus_message_set_no_reply(call, TRUE);
    if (!dbus_message_append_args(call, DBUS_TYPE_STRING, &rule, DBUS_TYPE_INVALID)) {
        dbus_message_unref(call);
        return false;
    }
    return bus_send(b, call, NULL);
}

/* --- Connecting --- */

/* Says hello, as the bus demands before anything else, and takes the name that it gives. */
static bus_event say_hello(bus *b, double deadline)
{
    dbus_uint32_t serial = 0;
    DBusMessage *reply;
    if (!bus_send(b, dbus_message_new_method_call(BUS_NAME, BUS_PATH, BUS_INTERFACE, "Hello"), &serial))
        return BUS_NO_MEMORY;
    for (;;) {
        const char *name;
        bus_event event = bus_next(b, deadline, &reply);
        if (event != BUS_MESSAGE)
            return event;
        bool is_reply = dbus_message_get_reply_serial(reply) == serial;
        bool named = is_reply && dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_METHOD_RETURN &&
                     dbus_message_get_args(reply, NULL, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);
        bool taken = named && dbus_bus_set_unique_name(b->connection, name);
        dbus_message_unref(reply);
        if (is_reply)
            return taken ? BUS_MESSAGE : named ? BUS_NO_MEMORY : BUS_ENDED;
    }
}

bus_event bus_connect(bus *b, const char *address, int alarm, double deadline)
{
    *b = (bus){.alarm = alarm};
    dbus_connection_set_change_sigpipe(FALSE); /* writing to a socket raises no signal here */
    b->connection = dbus_connection_open_private(address, NULL);
    if (!b->connection)
        return BUS_ENDED;
    dbus_connection_set_exit_on_disconnect(b->connection, FALSE);
    if (!dbus_connection_set_watch_functions(b->connection, add_watch, remove_watch, NULL, b, NULL))
        return BUS_NO_MEMORY;
    return say_hello(b, deadline);
}

void bus_finish(bus *b)
{
    if (!b->connection)
        return;
    dbus_connection_close(b->connection);
    dbus_connection_unref(b->connection);
    *b = (bus){.alarm = -1};
}
