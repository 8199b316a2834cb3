/*
 * A private connection to the session bus, for a thread that waits for replies and signals. It differs from
 * what libdbus offers in that waiting can be ended by another thread, through a descriptor, and that nothing
 * wakes up meanwhile.
 */
#ifndef ODORI_BUS_LINUX_H
#define ODORI_BUS_LINUX_H

#include <dbus/dbus.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum bus_event {
    BUS_MESSAGE, /* a message came */
    BUS_LATE,    /* nothing came until the deadline */
    BUS_ALARM,   /* the descriptor became readable */
    BUS_ENDED,   /* the connection was closed */
    BUS_NO_MEMORY,
} bus_event;

enum { BUS_WATCHES_MAX = 8, BUS_ADDRESS_MAX = 4096 };

typedef struct bus {
    DBusConnection *connection;
    DBusWatch *watches[BUS_WATCHES_MAX];
    size_t watch_count;
    int alarm; /* descriptor that ends waiting when it becomes readable; below 0: none */
} bus;

/* A deadline that never comes. Deadlines are times of clock_seconds. */
#define BUS_NEVER (-1.0)

/*
 * Finds the address of the user's session bus: of $DBUS_SESSION_BUS_ADDRESS those addresses that are sockets
 * of this machine, or else $XDG_RUNTIME_DIR/bus. Addresses that would start a bus or a program are never
 * used. Returns false if there is none. It reads the environment.
 */
bool bus_find_address(char address[BUS_ADDRESS_MAX]);

/* Connects and waits until the bus has answered. The bus has to be finished in any case. */
bus_event bus_connect(bus *b, const char *address, int alarm, double deadline);
void bus_finish(bus *b);

/* Waits for the next message, which the caller has to unreference. It is NULL unless BUS_MESSAGE is returned.
 */
bus_event bus_next(bus *b, double deadline, DBusMessage **message);

/* Sends a message and unreferences it; NULL is a message for which there was no memory. `serial` receives the
 * number that its reply refers to; it may be NULL. Returns false when out of memory. */
bool bus_send(bus *b, DBusMessage *message, dbus_uint32_t *serial);

/* Asks the bus to pass on the signals that match a rule. Returns false when out of memory. */
bool bus_add_match(bus *b, const char *rule);

/* Writes what was sent, at most until the deadline. */
void bus_flush(bus *b, double deadline);

#endif
