/*
 * Assembling a scene from files: which file a path means, in folders and in archives; models of any kind with
 * their textures; motions; the files that a project names. Nothing stays open or is remembered between calls,
 * apart from archives between mmd_archives_hold and mmd_archives_release (archive.h).
 *
 * Paths of files are at most MMD_FILE_PATH_MAX bytes with their NUL, names inside of a source MMD_PATH_MAX.
 * All functions may be called from any thread; an object is for one thread at a time. Logs may be NULL, and
 * receive messages of level MMD_LOG_INFO.
 */
#ifndef MMD_ASSEMBLE_H
#define MMD_ASSEMBLE_H

#include "mmd/exchange.h"
#include "mmd/format.h"
#include "mmd/log.h"
#include "mmd/memory.h"
#include "mmd/project.h"
#include "mmd/source.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- kinds of files by their names */

/* Kinds of files by the endings of their names, in the order in which files of a folder are preferred. What a
 * file is, its content decides when it is opened (mmd_file_detect, mmd_exchange_detect). */
typedef enum mmd_name_kind {
    MMD_NAME_MODEL,
    MMD_NAME_ACCESSORY,
    MMD_NAME_INTERCHANGE, /* a model of another program: glTF */
    MMD_NAME_PROJECT,
    MMD_NAME_MOTION,
    MMD_NAME_POSE,
    MMD_NAME_SOUND,
    MMD_NAME_PICTURE, /* a PNG, which can contain the description of its scene */
    MMD_NAME_PLAYLIST,
    MMD_NAME_TEXTURE, /* any other picture */
    MMD_NAME_ARCHIVE,
    MMD_NAME_OTHER,
    MMD_NAME_KINDS
} mmd_name_kind;

/* Returns the kind of a file with this name or path. */
mmd_name_kind mmd_name_kind_of(const char *name);

/* Returns the i-th ending of a kind, without a dot ("pmx"), or NULL past the last. MMD_NAME_OTHER has none.
 */
const char *mmd_name_kind_ending(mmd_name_kind kind, unsigned i);

/* ---------------------------------------------------------------- locating files */

/*
 * Files are in the file system or in archives, whose files are addressed through the archive's path
 * ("miku.zip/tex/face.png"). An archive or folder in place of a file means the most likely file in it.
 */

/* What a file is needed for. */
typedef enum mmd_locate_role {
    MMD_LOCATE_SCENE, /* a file on a command line: a model, otherwise a project, a motion or a pose */
    MMD_LOCATE_MODEL, /* a model, an accessory, or an interchange file */
    MMD_LOCATE_MOTION,
    MMD_LOCATE_CAMERA,
    MMD_LOCATE_POSE,
    MMD_LOCATE_SOUND,
} mmd_locate_role;

/* Reads a whole file. Errors of mmd_file_read and mmd_archive_open; the error's file is set to path. */
mmd_status mmd_locate_read(const char *path, mmd_bytes *bytes, mmd_error *error);

/* Finds the archive that path is, or leads into. Returns false if there is none. */
bool mmd_locate_archive(const char *path, char archive[MMD_FILE_PATH_MAX]);

/* Tests whether a regular file, or one in an archive, has exactly this name and is readable. */
bool mmd_locate_is_file(const char *path);

/* Tests whether path is an archive, a folder, or a folder in an archive. */
bool mmd_locate_is_container(const char *path);

/* Opens the archive that path leads into; folder receives the file's folder in it ("" or "." for the root).
 * MMD_OK with *source NULL: path is in the file system. The caller destroys the source. */
mmd_status mmd_locate_open_source(const char *path, mmd_source **source, char folder[MMD_PATH_MAX],
                                  mmd_error *error);

/*
 * Chooses the file that path means: path itself, or the file in an archive or folder that fits the role: the
 * largest model, the only motion (of several, the only one that moves models, or a camera). Logs the
 * alternatives. MMD_ERROR_NOT_FOUND: none; MMD_ERROR_VALUE: several.
 */
mmd_status mmd_locate_choose(const char *path, mmd_locate_role role, const mmd_log *log,
                             char chosen[MMD_FILE_PATH_MAX], mmd_error *error);

/* Finds the only sound in an archive or folder. Returns false if path is neither, or has none or several. */
bool mmd_locate_only_sound(const char *path, char chosen[MMD_FILE_PATH_MAX]);

typedef struct mmd_locate_file {
    const char *name; /* path inside of the archive or folder */
    uint64_t size;    /* bytes */
    bool encrypted;
} mmd_locate_file;

/* Contents of an archive or folder, including subfolders. Finish it in either case. */
typedef struct mmd_locate_contents {
    mmd_locate_file *files;
    size_t count, capacity;
    size_t left_out; /* entries of an archive that are no files, or whose names lead out of it */
    bool is_archive;
    bool failed; /* out of memory or too many files; the list is incomplete */
    mmd_arena arena;
} mmd_locate_contents;

mmd_status mmd_locate_contents_read(const char *path, mmd_locate_contents *contents, mmd_error *error);
void mmd_locate_contents_finish(mmd_locate_contents *contents);

/*
 * Lists the files that dropping an archive or folder on a window opens: the largest model of each folder, or
 * accessories if there is none; all motions, or the pose if there is only one; the sound if there is only
 * one. Logs what is not opened. Any other path is returned as it is. Paths are allocated in the arena.
 */
mmd_status mmd_locate_sort(const char *path, const mmd_log *log, mmd_arena *arena, const char ***paths,
                           size_t *count, mmd_error *error);

/* ---------------------------------------------------------------- textures and other files beside a model */

/*
 * The files that a model's file names: its textures, the .x file of a .vac, the buffers of a glTF. This is
 * the one place that decides which of them are opened. Drawing, hashing, converting and copying all use it.
 *
 * A name leads to a file in the model's folder, or in a folder beside that ("..\\tex\\a.png"), links
 * resolved. Folders beside are not looked into where the model's folder or the one above is the root, the
 * home folder, one of the user's folders (Downloads, Desktop ...), /tmp or where disks are (/media); and none
 * of these is entered on the way to a file (mmd_user_folders_find). The folder above is listed only for names
 * that lead up. In an archive a name leads to any file of it. No part of a name begins with a dot, and it
 * ends like a picture's name, or as its kind does.
 */

/* Which files a model's file may name besides pictures. */
typedef enum mmd_named_files {
    MMD_NAMED_PICTURES,  /* none */
    MMD_NAMED_ACCESSORY, /* of a .vac: .x */
    MMD_NAMED_BUFFERS,   /* of a glTF: .bin, .glbin, .glbuf */
} mmd_named_files;

/* Where a model's textures are: a source that opens nothing else. Its root is the model's folder or, if
 * folders beside that may be looked into, the folder above. */
typedef struct mmd_texture_location {
    mmd_source *source;
    char folder[MMD_PATH_MAX]; /* the model's folder, relative to the root; "" for the root */
} mmd_texture_location;

/* Finds the files beside a model file. source is NULL if out of memory; the caller destroys it. */
mmd_texture_location mmd_textures_beside(const char *model_path, mmd_named_files also);

/*
 * Finds the folder in the file system that is the source's root. Returns false if the root is in an archive.
 */
bool mmd_textures_root(const mmd_texture_location *location, const char *model_path,
                       char root[MMD_FILE_PATH_MAX]);

/* Finds the file of a texture by its name in the model, as mmd_view_add_model does. Fails as
 * mmd_source_look_up. */
mmd_status mmd_textures_find(const mmd_texture_location *location, const char *name, char path[MMD_PATH_MAX],
                             mmd_error *error);

/* Reads a file and decodes it to see whether it is a picture. Returns false with the reason in error. */
bool mmd_textures_decode(const mmd_texture_location *location, const char *path, mmd_error *error);

/* The file of one texture of a model. */
typedef struct mmd_texture_file {
    const char *path;  /* in the source; NULL: there is none */
    const char *why;   /* why there is none; NULL otherwise */
    bool is_refused;   /* there is none because the name is refused */
    bool is_missing;   /* there is none of this name */
    bool is_too_large; /* for the caller: it is not decoded, because that takes too much time or memory */
    uint32_t first;    /* the first texture with the same file */
} mmd_texture_file;

/* The files of all textures of a model, so that each is read once, however many names it has. */
typedef struct mmd_texture_files {
    mmd_texture_file *items; /* model->texture_count elements */
    uint32_t *order;         /* their indices in the order in which reading their files costs least */
    uint32_t count;
    mmd_arena arena;
} mmd_texture_files;

/* Returns false if out of memory. Finish it in either case. */
bool mmd_texture_files_find(mmd_texture_files *files, const mmd_model *model,
                            const mmd_texture_location *location);
void mmd_texture_files_finish(mmd_texture_files *files);

/* ---------------------------------------------------------------- models */

/* A model of any kind: PMX or PMD, an accessory (.x), an accessory with its placement (.vac, which names an
 * .x file), or an interchange file (glTF, Ragdoll JSON). Zeroed is valid and empty. */
typedef struct mmd_model_file {
    mmd_model *model;
    mmd_texture_location textures; /* for mmd_view_add_model: its source and folder */
    mmd_vac *vac;                  /* placement; NULL unless a .vac was given */
    mmd_exchange *document;        /* glTF or Ragdoll document that owns the model; otherwise NULL */
} mmd_model_file;

/*
 * Reads a model of any kind from a path, which may lead into an archive, or be an archive or folder with a
 * model (mmd_locate_choose, silently). The .x file of a .vac and the buffers of a glTF are searched for
 * beside it, like textures. Sets the error's file. Errors of mmd_locate_choose, mmd_locate_read and the
 * readers; MMD_ERROR_MAGIC also for a project, and MMD_ERROR_REFUSED for a .vac that names a file that it may
 * not. Finish the file when its model is no longer used; after an error it is empty.
 */
mmd_status mmd_model_file_read(const char *path, mmd_model_file *file, mmd_error *error);

/* Reads a model likewise, and logs which one was chosen of several. */
mmd_status mmd_model_file_choose(const char *path, const mmd_log *log, mmd_model_file *file,
                                 mmd_error *error);

/* Reads a model likewise from the bytes of the file at path, which need not outlive the call. */
mmd_status mmd_model_file_parse(const char *path, const mmd_bytes *bytes, mmd_model_file *file,
                                mmd_error *error);

/* Destroys all parts of a file. It is empty then. */
void mmd_model_file_finish(mmd_model_file *file);

/* Destroys a model, or the document that owns it. */
void mmd_model_file_destroy_model(mmd_model *model, mmd_exchange *document);

/* ---------------------------------------------------------------- motions */

/*
 * Reads a VMD, or a VPD as a motion with one frame; the second from bytes. Anything else is MMD_ERROR_MAGIC.
 * The first accepts paths into archives, and sets the error's file. The caller destroys the motion.
 */
mmd_status mmd_motion_file_read(const char *path, mmd_motion **motion, mmd_error *error);
mmd_status mmd_motion_file_parse(const mmd_bytes *bytes, mmd_motion **motion, mmd_error *error);

/* Test whether a motion has keyframes for models (bones, morphs, switches) or for the stage (camera, light,
 * self shadow). */
bool mmd_motion_is_for_models(const mmd_motion *motion);
bool mmd_motion_is_for_stage(const mmd_motion *motion);

/* Tests whether a motion is a whole dance: it moves a dancer's root and legs for longer than a pose, unlike
 * motions of face and lips. */
bool mmd_motion_is_dance(const mmd_motion *motion);

/* ---------------------------------------------------------------- the files of a project */

/* A project names its files by paths on the machine where it was made, of which usually only the end is valid
 * here. They are searched for in the project's folder and in those above it. */
enum { MMD_PROJECT_LEVELS = 3, MMD_PROJECT_WHY_MAX = 2048 };

typedef struct mmd_project_folders {
    mmd_source *sources[MMD_PROJECT_LEVELS]; /* the project's folder, its parent, … */
    char folders[MMD_PROJECT_LEVELS][MMD_FILE_PATH_MAX];
    int count;
    mmd_source *archive;           /* archive that contains the project and these folders; or NULL */
    char outer[MMD_FILE_PATH_MAX]; /* path of that archive */
    /* The caller may set this. It decides whether a file that was found may be opened. If not, it writes a
     * clause that says why ("leads to ..."). NULL: every file in these folders may be. */
    bool (*permit)(const void *user, const char *path, char why[MMD_PROJECT_WHY_MAX]);
    const void *permit_user;
    char why[MMD_PROJECT_WHY_MAX]; /* why the last file, which is there, may not be opened; "": it is not
                                      there */
} mmd_project_folders;

/* Names the folders by the project's path. Returns false if out of memory. Finish it in either case. */
bool mmd_project_folders_init(mmd_project_folders *places, const char *project);
void mmd_project_folders_finish(mmd_project_folders *places);

/*
 * Finds a file that the project names with \ or /: the longest end of the path, part by part, that exists in
 * the project's folder or one of the two above it. Names match as for textures (case, Unicode normalisation).
 * A link that leads out of these folders is not followed. Returns false if there is none; mmd_project_missing
 * then completes the sentence "FILE ...".
 */
bool mmd_project_find(mmd_project_folders *places, const char *name, char path[MMD_FILE_PATH_MAX]);
const char *mmd_project_missing(const mmd_project_folders *places);

/* Finds the project's WAVE file, which MMD plays from frame 0. Returns false if the project has none, does
 * not play it, or if it is missing, which is logged with project_path. */
bool mmd_project_find_sound(mmd_project_folders *places, const mmd_project *project, const char *project_path,
                            const mmd_log *log, char path[MMD_FILE_PATH_MAX]);

/* ---------------------------------------------------------------- the user's folders */

/*
 * The folders in which a user gathers what does not belong together: the root, the home folder, Desktop,
 * Downloads and the like, those for temporary files, those in which disks appear (/media). What lies beside a
 * stranger's folder there is no business of the stranger's.
 */
enum { MMD_USER_FOLDERS_MAX = 64 };

typedef struct mmd_user_folder {
    uint64_t device, node;
} mmd_user_folder;

typedef struct mmd_user_folders {
    mmd_user_folder items[MMD_USER_FOLDERS_MAX];
    size_t count;
} mmd_user_folders;

/* Finds those that exist: of $HOME and of the account, by their usual names and by the user's settings. Reads
 * the environment (HOME, USER, TMPDIR, XDG_CONFIG_HOME), which no other thread may change meanwhile. */
void mmd_user_folders_find(mmd_user_folders *folders);

/* Returns whether a path leads to one of them. */
bool mmd_user_folders_has(const mmd_user_folders *folders, const char *path);

/* Write the path of the home folder: that of $HOME, or of the account where there is none, or always of the
 * account. Return false if there is none either. */
bool mmd_user_folders_home(char path[MMD_FILE_PATH_MAX]);
bool mmd_user_folders_account(char path[MMD_FILE_PATH_MAX]);

/* Writes the path of the file with the settings of a home folder, user-dirs.dirs. Returns false if it is too
 * long. */
bool mmd_user_folders_settings(const char *home, char path[MMD_FILE_PATH_MAX]);

/* Writes the path of one of the user's folders, by the name that user-dirs.dirs has for it ("DESKTOP",
 * "DOCUMENTS", "DOWNLOAD", "MUSIC", "PICTURES", "VIDEOS"): as the settings of the home folder say, or by its
 * usual English name. Returns false if there is no such folder, or if the settings name the home folder in
 * its stead. */
bool mmd_user_folder_find(const char *name, char path[MMD_FILE_PATH_MAX]);

#ifdef __cplusplus
}
#endif

#endif
