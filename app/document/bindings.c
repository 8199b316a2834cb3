/* The sets of key bindings, and the parser of the user's file of keys. */
#include "bindings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A key of a set, the command line that it runs, and what that does. */
typedef struct set_key {
    const char *key, *command, *help;
    bool repeats; /* while the key is held down */
} set_key;

/* The keys of odori, with MMD's where it has some: P plays, and the numeric keypad selects views. Several
 * keys of one command have one help text, that of the first. */
static const set_key defaults[] = {
    {"Space", "play.toggle", "Play or pause", false},
    {"P", "play.toggle", NULL, false},
    {"Left", "frame.step -1", "Previous frame", true},
    {"Right", "frame.step 1", "Next frame", true},
    {"Shift+Left", "frame.step -10", "Back 10 frames", true},
    {"Shift+Right", "frame.step 10", "Forward 10 frames", true},
    {"Ctrl+Left", "frame.beat -1", "Previous beat", true},
    {"Ctrl+Right", "frame.beat 1", "Next beat", true},
    {"Alt+Left", "frame.key -1", "Previous keyframe", true},
    {"Alt+Right", "frame.key 1", "Next keyframe", true},
    {"Home", "frame.set 0", "First frame", false},
    {"End", "frame.end", "Last frame", false},
    {"PageUp", "playlist.page -1", "Previous camera cut or dance", true},
    {"PageDown", "playlist.page 1", "Next camera cut or dance", true},
    {"[", "play.faster -1", "Slower", true},
    {"]", "play.faster 1", "Faster", true},
    {"Backspace", "play.speed 1", "Normal speed", false},
    {"L", "play.ab next", "A-B repeat: set A, set B, off", false},
    {"Ctrl+L", "toggle play.loop", "Loop on or off", false},
    {"Ctrl+[", "audio.shift -0.01", "Audio 10 ms earlier", true},
    {"Ctrl+]", "audio.shift 0.01", "Audio 10 ms later", true},
    {"Shift+M", "toggle audio.mute", "Sound on or off", false},
    {"N", "playlist.next", "Next playlist entry", false},
    {"Shift+N", "playlist.previous", "Previous playlist entry", false},
    {"M", "toggle play.mirror", "Mirror the motion on or off", false},
    {"C", "camera.motion on", "Camera of the motion", false},
    {"R", "camera.reset", "Default camera of MMD", false},
    {"Shift+F", "camera.fit", "Fit all models in the view", false},
    {"F", "toggle camera.follow", "Follow the model on or off", false},
    {"O", "toggle camera.perspective", "Perspective on or off", false},
    {"Num2", "camera.view front", "Front view", false},
    {"Num1", "camera.view front", NULL, false},
    {"Num8", "camera.view back", "Back view", false},
    {"Ctrl+Num1", "camera.view back", NULL, false},
    {"Num4", "camera.view left", "Left view", false},
    {"Ctrl+Num3", "camera.view left", NULL, false},
    {"Num6", "camera.view right", "Right view", false},
    {"Num3", "camera.view right", NULL, false},
    {"Num5", "camera.view top", "Top view", false},
    {"Num7", "camera.view top", NULL, false},
    {"Num0", "camera.view bottom", "Bottom view", false},
    {"Ctrl+Num7", "camera.view bottom", NULL, false},
    {"B", "toggle view.bodies", "Rigid bodies on or off", false},
    {"J", "toggle view.joints", "Joints on or off", false},
    {"K", "toggle view.contacts", "Contacts on or off", false},
    {"W", "toggle view.wireframe", "Wireframe on or off", false},
    {"V", "toggle view.normals", "Normals on or off", false},
    {"Shift+W", "toggle view.clay", "Clay (no materials) on or off", false},
    {"Shift+B", "toggle view.bones", "Bones on or off", false},
    {"G", "toggle view.grid", "Grid and axes on or off", false},
    {"E", "toggle view.edge", "Outlines on or off", false},
    {"S", "toggle view.self-shadow", "Self-shadow on or off", false},
    {"T", "gizmo.mode translate", "Move gizmo", false},
    {"Y", "gizmo.mode rotate", "Rotate gizmo", false},
    {"U", "gizmo.mode scale", "Scale gizmo", false},
    {"I", "gizmo.mode none", "Hide the gizmo", false},
    {"X", "gizmo.space next", "Next gizmo axes", false},
    {"Shift+X", "toggle gizmo.snap", "Snap on or off", false},
    {"H", "toggle edit.mirror", "Mirrored editing on or off", false},
    {"Shift+C", "edit.select /camera", "Select the camera", false},
    {"Shift+L", "edit.select /light", "Select the light", false},
    {"Alt+Up", "edit.up", "Select one level up", true},
    {"Ctrl+Up", "edit.controller", "Select what moves it (IK goal)", false},
    {"Ctrl+Z", "undo", "Undo", true},
    {"Ctrl+Y", "redo", "Redo", true},
    {"Ctrl+C", "pose.copy", "Copy the pose", false},
    {"Ctrl+Shift+C", "picture.copy", "Copy the image", false},
    {"Ctrl+O", "file.choose", "Choose files to open", false},
    {"Ctrl+V", "paste", "Paste a pose or open files", false},
    {"Tab", "panels.toggle", "Panels on or off", false},
    {"D", "toggle panels.sheet", "Keyframe editor on or off", false},
    {"F1", "toggle keys", "Key bindings on or off", false},
    {"F5", "reload", "Reload all files", false},
    {"F11", "toggle window.full", "Full screen on or off", false},
    {"F12", "screenshot", "Screenshot", false},
    {"Escape", "escape", "Close, cancel or deselect", false},
    {"Ctrl+S", "file.save", "Save the edits", false},
    {"Ctrl+Shift+S", "file.save-as", "Save under other names", false},
    {"Q", "quit.ask", "Quit", false},
    {"Shift+Q", "quit", "Quit at once; unsaved edits are kept", false},
};

/* The keys of MMD that differ from those above. What they displace and no other key does has a key with Alt.
 */
static const set_key keys_of_mmd[] = {
    {"Ctrl+Left", "frame.key -1", NULL, true},
    {"Ctrl+Right", "frame.key 1", NULL, true},
    {"Alt+Left", "frame.beat -1", NULL, true},
    {"Alt+Right", "frame.beat 1", NULL, true},
    {"Enter", "key.set", "Set keyframes", false},
    {"NumEnter", "key.set", NULL, false},
    {"Delete", "key.remove", "Delete keyframes at this frame", false},
    {"C", "toggle view.bones", NULL, false},
    {"X", "gizmo.mode rotate", NULL, false},
    {"Z", "gizmo.mode translate", NULL, false},
    {"A", "edit.all", "Select all bones", false},
    {"Ctrl+X", "redo", NULL, true},
    {"Alt+C", "camera.motion on", NULL, false},
    {"Alt+X", "gizmo.space next", NULL, false},
    {"Num1", "none", NULL, false},
    {"Num3", "none", NULL, false},
    {"Num7", "none", NULL, false},
    {"Ctrl+Num1", "none", NULL, false},
    {"Ctrl+Num3", "none", NULL, false},
    {"Ctrl+Num7", "none", NULL, false},
};

/* Likewise the keys of Blender, of its 3D view in pose mode and its timeline. */
static const set_key keys_of_blender[] = {
    {"Up", "frame.key 1", NULL, true},
    {"Down", "frame.key -1", NULL, true},
    {"Shift+Left", "frame.set 0", NULL, false},
    {"Shift+Right", "frame.end", NULL, false},
    {"Shift+Up", "frame.step 10", NULL, true},
    {"Shift+Down", "frame.step -10", NULL, true},
    {"G", "gizmo.mode translate", NULL, false},
    {"R", "gizmo.mode rotate", NULL, false},
    {"S", "gizmo.mode scale", NULL, false},
    {"Alt+G", "edit.translate 0 0 0", "Remove the translation", false},
    {"Alt+R", "edit.rotate 0 0 0", "Remove the rotation", false},
    {"I", "key.set", "Set keyframes", false},
    {"Alt+I", "key.remove", "Delete keyframes at this frame", false},
    {"Delete", "key.remove", NULL, false},
    {"A", "edit.all", "Select all bones", false},
    {"Alt+A", "edit.clear", "Select nothing", false},
    {"[", "edit.up", NULL, true},
    {"]", "none", NULL, false},
    {",", "gizmo.space next", NULL, false},
    {"Shift+Tab", "toggle gizmo.snap", NULL, false},
    {"Ctrl+Shift+Z", "redo", NULL, true},
    {"N", "panels.toggle", NULL, false},
    {"Shift+Z", "toggle view.wireframe", NULL, false},
    {"Num0", "camera.motion on", NULL, false},
    {"Num5", "toggle camera.perspective", NULL, false},
    {"Num2", "camera.orbit 0 -15", "Orbit down by 15 degrees", true},
    {"Num8", "camera.orbit 0 15", "Orbit up by 15 degrees", true},
    {"Num4", "camera.orbit 15 0", "Orbit left by 15 degrees", true},
    {"Num6", "camera.orbit -15 0", "Orbit right by 15 degrees", true},
    {"NumPlus", "camera.zoom 0.9", "Zoom in", true},
    {"NumMinus", "camera.zoom 1.111", "Zoom out", true},
    {"Home", "camera.fit", NULL, false},
    {"Ctrl+Num7", "camera.view bottom", NULL, false},
    {"Alt+N", "playlist.next", NULL, false},
    {"Alt+S", "edit.scale 1 1 1", "Remove the scale", false},
    {"Ctrl+Alt+S", "toggle view.self-shadow", NULL, false},
    {"Alt+W", "toggle view.grid", NULL, false},
    {"Alt+H", "gizmo.mode none", NULL, false},
    {"Alt+Home", "camera.reset", NULL, false},
    {"NumDivide", "play.faster -1", NULL, true},
    {"NumMultiply", "play.faster 1", NULL, true},
};

static const struct {
    const char *name;
    const set_key *keys;
    size_t count;
} sets[KEY_SETS] = {
    [KEYS_OF_ODORI] = {"odori", NULL, 0},
    [KEYS_OF_MMD] = {"mmd", keys_of_mmd, sizeof keys_of_mmd / sizeof *keys_of_mmd},
    [KEYS_OF_BLENDER] = {"blender", keys_of_blender, sizeof keys_of_blender / sizeof *keys_of_blender},
};

/* Names of keys that are not a single character. */
static const char *const names[] = {
    "Space", "Escape",     "Enter",     "Tab",         "Backspace", "Insert",  "Delete",   "Right",
    "Left",  "Down",       "Up",        "PageUp",      "PageDown",  "Home",    "End",      "Pause",
    "Menu",  "NumDecimal", "NumDivide", "NumMultiply", "NumMinus",  "NumPlus", "NumEnter", "Num0",
    "Num1",  "Num2",       "Num3",      "Num4",        "Num5",      "Num6",    "Num7",     "Num8",
    "Num9",  "F1",         "F2",        "F3",          "F4",        "F5",      "F6",       "F7",
    "F8",    "F9",         "F10",       "F11",         "F12",
};

static const struct {
    const char *name;
    int bit;
} modifier_names[] = {
    {"Ctrl+", KEY_CONTROL}, {"Alt+", KEY_ALT}, {"Shift+", KEY_SHIFT}, {"Super+", KEY_SUPER}};

/* Returns the name of a key that is a single character, in upper case, or NULL if there is no such key. The
 * table has the names as strings, one after another. */
static const char *known_character(char c)
{
    static const char signs[] =
        "A\0B\0C\0D\0E\0F\0G\0H\0I\0J\0K\0L\0M\0N\0O\0P\0Q\0R\0S\0T\0U\0V\0W\0X\0Y\0Z\0"
        "0\0001\0002\0003\0004\0005\0006\0007\0008\0009\0"
        "'\0,\0-\0.\0/\0;\0=\0[\0\\\0]\0`\0+";
    if (c >= 'a' && c <= 'z')
        c = (char)(c - 'a' + 'A');
    for (size_t i = 0; c && i < sizeof signs; i += 2)
        if (signs[i] == c)
            return &signs[i];
    return NULL;
}

const char *binding_known_name(const char *name)
{
    if (name[0] && !name[1])
        return known_character(name[0]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i], name) == 0)
            return names[i];
    return NULL;
}

/* Writes a full key name, with modifiers in the order of modifier_names. */
static void write_name(int modifiers, const char *known, char name[KEY_NAME_MAX])
{
    *name = '\0';
    for (size_t i = 0; i < sizeof modifier_names / sizeof *modifier_names; i++)
        if (modifiers & modifier_names[i].bit)
            strcat(name, modifier_names[i].name);
    strcat(name, known); /* fits: at most 21 bytes of modifiers, and a name of at most 11 */
}

/* Reads a key name with modifiers in any case and order, and writes its normal form. Returns false for an
 * unknown key. */
static bool read_name(const char *text, char name[KEY_NAME_MAX])
{
    int modifiers = 0;
    for (size_t i = 0; i < sizeof modifier_names / sizeof *modifier_names;) {
        size_t length = strlen(modifier_names[i].name);
        if (strncasecmp(text, modifier_names[i].name, length) == 0) {
            modifiers |= modifier_names[i].bit;
            text += length;
            i = 0;
        } else {
            i++;
        }
    }
    const char *known = binding_known_name(text);
    if (known)
        write_name(modifiers, known, name);
    return known != NULL;
}

static key_binding *find_entry(key_bindings *k, const char *name)
{
    for (size_t i = 0; i < k->count; i++)
        if (strcmp(k->entries[i].key, name) == 0)
            return &k->entries[i];
    return NULL;
}

const key_binding *bindings_find(const key_bindings *k, int modifiers, const char *name)
{
    char full[KEY_NAME_MAX];
    const char *known = binding_known_name(name);
    if (!known)
        return NULL;
    write_name(modifiers, known, full);
    for (size_t i = 0; i < k->count; i++)
        if (strcmp(k->entries[i].key, full) == 0)
            return &k->entries[i];
    return NULL;
}

const char *bindings_key_of(const key_bindings *k, const char *command)
{
    for (size_t i = 0; i < k->count; i++)
        if (strcmp(k->entries[i].command, command) == 0)
            return k->entries[i].key;
    return NULL;
}

/* Removes a binding. */
static void remove_entry(key_bindings *k, key_binding *e)
{
    size_t at = (size_t)(e - k->entries);
    memmove(e, e + 1, (k->count - at - 1) * sizeof *e);
    k->count--;
}

/* Sets help text and repetition of a binding from one of a list that runs the same command and has a text.
 * Returns whether there is one. */
static bool take_help(key_binding *e, const set_key *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i].command, e->command) == 0 && keys[i].help) {
            e->help = keys[i].help;
            e->repeats = keys[i].repeats;
            return true;
        }
    return false;
}

/* Finds the help text of a binding: in odori's keys, else in the other sets. */
static void find_help(key_binding *e)
{
    e->help = NULL;
    e->repeats = false;
    bool found = take_help(e, defaults, sizeof defaults / sizeof *defaults);
    for (int set = 0; set < KEY_SETS && !found; set++)
        found = take_help(e, sets[set].keys, sets[set].count);
}

/* Binds a key to a command, or frees it with the command `none`. Returns false when the table is full. */
static bool bind(key_bindings *k, const char *name, const char *command, char *why, size_t size)
{
    key_binding *e = find_entry(k, name);
    if (strcasecmp(command, "none") == 0) {
        if (e)
            remove_entry(k, e);
        return true;
    }
    if (!e && k->count == BINDINGS_MAX) {
        snprintf(why, size, "more than %d keys are bound", BINDINGS_MAX);
        return false;
    }
    if (!e)
        e = &k->entries[k->count++];
    snprintf(e->key, sizeof e->key, "%s", name);
    snprintf(e->command, sizeof e->command, "%s", command);
    find_help(e);
    return true;
}

/* Binds the keys of a list over those that are there. */
static void bind_all(key_bindings *k, const set_key *keys, size_t count)
{
    char why[128];
    for (size_t i = 0; i < count; i++) {
        bool bound = bind(k, keys[i].key, keys[i].command, why, sizeof why);
        assert(bound);
        (void)bound;
    }
}

void bindings_init_set(key_bindings *k, key_set set)
{
    *k = (key_bindings){.set = set};
    bind_all(k, defaults, sizeof defaults / sizeof *defaults);
    bind_all(k, sets[set].keys, sets[set].count);
}

void bindings_init(key_bindings *k)
{
    bindings_init_set(k, KEYS_OF_ODORI);
}

const char *bindings_set_name(key_set set)
{
    return sets[set].name;
}

bool bindings_find_set(const char *name, key_set *set)
{
    for (int i = 0; i < KEY_SETS; i++)
        if (strcmp(sets[i].name, name) == 0) {
            *set = (key_set)i;
            return true;
        }
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Reads a line of the file of keys. A NUL byte ends the line. */
static bool read_line(key_bindings *k, char *line, char *why, size_t size)
{
    char name[KEY_NAME_MAX];
    while (is_blank(*line))
        line++;
    size_t length = strlen(line);
    while (length && is_blank(line[length - 1]))
        line[--length] = '\0';
    if (!length || *line == '#')
        return true;
    char *command = line + strcspn(line, " \t");
    while (is_blank(*command))
        *command++ = '\0';
    if (!read_name(line, name)) {
        snprintf(why, size, "unknown key \"%.40s\"", line);
        return false;
    }
    if (!*command) {
        snprintf(why, size, "%.40s: the command is missing; use `none` to free a key", name);
        return false;
    }
    return bind(k, name, command, why, size);
}

size_t bindings_read(key_bindings *k, const char *text, size_t length, char *why, size_t size)
{
    char line[KEY_COMMAND_MAX], ignored[128];
    size_t bad = 0, number = 0;
    text = text ? text : ""; /* NULL for an empty file */
    for (const char *at = text, *end = text + length; at < end; at++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t used = (size_t)((stop ? stop : end) - at);
        number++;
        bool fits = used < sizeof line;
        if (fits) {
            memcpy(line, at, used);
            line[used] = '\0';
            fits = read_line(k, line, bad ? ignored : why, bad ? sizeof ignored : size);
        } else if (!bad) {
            snprintf(why, size, "the line is longer than %zu bytes", sizeof line - 1);
        }
        if (!fits && !bad)
            bad = number;
        at += used;
    }
    return bad;
}

/* Appends a key to a row, if it fits. */
static void add_key(binding_row *row, const char *key)
{
    size_t length = strlen(row->keys);
    if (length + strlen(key) + 3 < sizeof row->keys)
        snprintf(row->keys + length, sizeof row->keys - length, ", %s", key);
}

size_t bindings_list(const key_bindings *k, binding_row rows[BINDINGS_MAX])
{
    size_t count = 0;
    for (const key_binding *e = k->entries; e < k->entries + k->count; e++) {
        size_t i = 0;
        while (i < count && strcmp(rows[i].command, e->command) != 0)
            i++;
        if (i < count) {
            add_key(&rows[i], e->key);
            continue;
        }
        binding_row *row = &rows[count++];
        row->help = e->help ? e->help : e->command;
        row->command = e->command;
        snprintf(row->keys, sizeof row->keys, "%s", e->key);
    }
    return count;
}

size_t bindings_text(const key_bindings *k, char *text, size_t size)
{
    binding_row rows[BINDINGS_MAX];
    size_t length = 0, count = bindings_list(k, rows);
    for (size_t i = 0; i < count; i++) {
        size_t room = length < size ? size - length : 0;
        length +=
            (size_t)snprintf(room ? text + length : NULL, room, "  %-20s %s\n", rows[i].keys, rows[i].help);
    }
    return length;
}
