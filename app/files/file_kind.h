/* Kinds of files by the endings of their names. What a file is, its content decides when it is opened. */
#ifndef ODORI_FILE_KIND_H
#define ODORI_FILE_KIND_H

/* In the order in which files of a folder are preferred. */
typedef enum file_kind {
    FILE_MODEL,
    FILE_ACCESSORY,
    FILE_INTERCHANGE, /* a model of another program: glTF */
    FILE_PROJECT,
    FILE_MOTION,
    FILE_POSE,
    FILE_SOUND,
    FILE_PICTURE, /* may be one of odori, which opens as its scene */
    FILE_PLAYLIST,
    FILE_TEXTURE, /* a picture that cannot be one of odori */
    FILE_ARCHIVE,
    FILE_OTHER,
    FILE_KINDS
} file_kind;

/* Returns the kind of a file with this name or path. */
file_kind file_kind_of(const char *name);

/* Returns the i-th ending of a kind, without a dot ("pmx"), or NULL past the last. FILE_OTHER has none. */
const char *file_kind_ending(file_kind kind, unsigned i);

#endif
