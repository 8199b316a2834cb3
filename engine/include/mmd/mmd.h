/*
 * odori, the MikuMikuDance engine, for a program that shows, measures or compares dancers: the one header to
 * begin with. The other headers have more; mmd_scene_stage, mmd_scene_actor and mmd_scene_view lead to them.
 *
 *     mmd_error error = {0};
 *     mmd_image image = {0};
 *     mmd_scene *scene = NULL;
 *     bool ok = mmd_scene_create(NULL, &scene, &error) == MMD_OK &&
 *               mmd_scene_open(scene, "miku.pmx", &error) == MMD_OK &&
 *               mmd_scene_open(scene, "dance.vmd", &error) == MMD_OK &&
 *               mmd_scene_set_frame(scene, 300, &error) == MMD_OK &&
 *               mmd_scene_picture(scene, NULL, 1280, 720, &image, &error) == MMD_OK &&
 *               mmd_image_write("out.png", &image, &error) == MMD_OK;
 *
 * Conventions: paths and names are UTF-8. Lengths are MMD's units of 8 cm, y is up, z leads away from the
 * default camera: MMD's space is left-handed. Angles are in degrees here. A frame is 1/30 s and may be
 * fractional. Matrices are column-major, for column vectors. A function that can fail returns a status, and
 * then fills the error, for which NULL is allowed. Nothing is changed by it then, except that a scene that
 * ran out of memory can only be destroyed. Other functions refuse a model, bone or morph that does not exist,
 * and numbers that are not finite: they do nothing, and return false, 0, "" or NULL. So the -1 of a name that
 * was not found does no harm. Pointers must not be NULL where that is not mentioned.
 *
 * A scene may be used by one thread at a time; one that is drawn, by the thread of its OpenGL context. What a
 * function returns belongs to the scene, and is valid until the scene changes in that part.
 */
#ifndef MMD_MMD_H
#define MMD_MMD_H

#include "mmd/difference.h"
#include "mmd/simulation.h"
#include "mmd/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the library: "0.1.0". Any thread. */
const char *mmd_version(void);

/* --- Opening --- */

/* Models, accessories, motions and a camera on a stage, with the files that they come from. */
typedef struct mmd_scene mmd_scene;

/* Creates an empty scene with physics. log (NULL: silent) is copied, and receives warnings, such as textures
 * that are missing. Fails with MMD_ERROR_MEMORY; *scene is NULL then. Any thread. */
mmd_status mmd_scene_create(const mmd_log *log, mmd_scene **scene, mmd_error *error);

/* Destroys a scene (NULL is allowed), on the thread of its OpenGL context if it was drawn. */
void mmd_scene_destroy(mmd_scene *scene);

/* Instead of the index of a model: all dancers, including those that are opened later. */
#define MMD_ALL_DANCERS SIZE_MAX

/*
 * Opens a file of any kind, which its contents tell: a model (PMX, PMD, glTF, Ragdoll), an accessory (.x,
 * .vac), a motion or a pose (VMD, VPD), which moves all dancers and, if it has keyframes for them, camera and
 * light, or a project (PMM), whose models and keyframes are added, whose settings of physics apply, and to
 * whose frame the scene goes. A path may lead into an archive ("miku.zip/miku.pmx"); an archive or a folder
 * means the most likely file in it. Fails with the errors of reading and MMD_ERROR_MEMORY.
 */
mmd_status mmd_scene_open(mmd_scene *scene, const char *path, mmd_error *error);

/*
 * Opens a model or an accessory with its textures, and puts it on the stage. *model (NULL is allowed)
 * receives its index: models are counted from 0 in the order of opening. A dancer gets the motions of all
 * dancers. An accessory is placed, and attached to the last dancer before it, as its .vac says. glTF plays
 * its first animation; a scene of only such files has a camera that shows them.
 */
mmd_status mmd_scene_open_model(mmd_scene *scene, const char *path, size_t *model, mmd_error *error);

/* Opens a model or an accessory as scenery: it is drawn first, has no ground shadow, and the motions of all
 * dancers do not move it. There can be one. */
mmd_status mmd_scene_open_backdrop(mmd_scene *scene, const char *path, size_t *model, mmd_error *error);

/*
 * Opens a motion or a pose for a model, or for MMD_ALL_DANCERS, with its keyframes of camera and light. It
 * overrides what was opened before it, in the bones and morphs for which it has keyframes. Fails also with
 * MMD_ERROR_ARGUMENT if there is no such model.
 */
mmd_status mmd_scene_open_motion(mmd_scene *scene, const char *path, size_t model, mmd_error *error);

/* Opens a motion for its camera and light alone. */
mmd_status mmd_scene_open_camera(mmd_scene *scene, const char *path, mmd_error *error);

/*
 * Add a model and a motion that the program has made or read by other means (mmd/format.h). They are not
 * copied, and have to outlive the scene. textures (NULL: there are none) is the source in which the model's
 * textures are found from folder on ("": its root); it must outlive the scene, too. mmd_scene_add_motion is
 * otherwise like mmd_scene_open_motion. Fail with MMD_ERROR_MEMORY, and while physics is on as
 * mmd_scene_set_physics.
 */
mmd_status mmd_scene_add_model(mmd_scene *scene, const mmd_model *model, mmd_source *textures,
                               const char *folder, size_t *index, mmd_error *error);
mmd_status mmd_scene_add_motion(mmd_scene *scene, const mmd_motion *motion, size_t model, mmd_error *error);

/* --- What is there --- */

/* Returns the number of models and accessories. */
size_t mmd_scene_model_count(const mmd_scene *scene);

/* Return a model's data, its actor, the stage, and the view; that is NULL until something was drawn. */
const mmd_model *mmd_scene_model(const mmd_scene *scene, size_t model);
mmd_actor *mmd_scene_actor(const mmd_scene *scene, size_t model);
mmd_stage *mmd_scene_stage(const mmd_scene *scene);
mmd_view *mmd_scene_view(const mmd_scene *scene);

/* Return the name of a model in its file, and the path of that file, which may lie in an archive; "" for a
 * model that was added. */
const char *mmd_scene_name(const mmd_scene *scene, size_t model);
const char *mmd_scene_path(const mmd_scene *scene, size_t model);

/* Return the number of bones of a model, the name of one, and the index of the first bone of that name; -1 if
 * there is none. Likewise for morphs and materials. */
size_t mmd_scene_bone_count(const mmd_scene *scene, size_t model);
const char *mmd_scene_bone_name(const mmd_scene *scene, size_t model, size_t bone);
int32_t mmd_scene_find_bone(const mmd_scene *scene, size_t model, const char *name);
size_t mmd_scene_morph_count(const mmd_scene *scene, size_t model);
const char *mmd_scene_morph_name(const mmd_scene *scene, size_t model, size_t morph);
int32_t mmd_scene_find_morph(const mmd_scene *scene, size_t model, const char *name);
size_t mmd_scene_material_count(const mmd_scene *scene, size_t model);
const char *mmd_scene_material_name(const mmd_scene *scene, size_t model, size_t material);

/* --- Time --- */

/*
 * What was opened or changed takes effect with the next mmd_scene_set_frame, which may set the same frame
 * again, or drawing. Until then bones, weights and camera may be those of before; a new model is at rest.
 */

/*
 * Switches physics on with these options, or off with NULL. At first it is on with
 * mmd_default_physics_options, with what glTF files and projects say of gravity and solver. Sets the current
 * frame again, which is simulated from frame 0. Fails with MMD_ERROR_VALUE if a model's physics cannot be
 * simulated; it is off from then on.
 */
mmd_status mmd_scene_set_physics(mmd_scene *scene, const mmd_physics_options *options, mmd_error *error);

/* The last frame that can be set: after four days. */
enum { MMD_SCENE_FRAMES = 10000000 };

/*
 * Moves everything to a frame, 0 to MMD_SCENE_FRAMES. Frames may be set in any order: the result is the same,
 * bit for bit, as when all frames before it were set, unless something was changed by hand in between:
 * physics goes on from there (mmd/simulation.h). Going forward costs the steps of physics in between. Fails
 * with MMD_ERROR_ARGUMENT for other numbers, with MMD_ERROR_MEMORY, and as mmd_scene_set_physics.
 */
mmd_status mmd_scene_set_frame(mmd_scene *scene, double frame, mmd_error *error);

/* Return the current frame, and the last one with a keyframe. */
double mmd_scene_frame(const mmd_scene *scene);
double mmd_scene_last_frame(const mmd_scene *scene);

/* --- Poses --- */

/*
 * Moves a bone by hand, on top of its motion and under IK: translation (units, along its parent's axes; NULL:
 * none) is added, and rotation (a quaternion x, y, z, w, made a unit one; NULL: none) comes before that of
 * the motion, in the bone's own space, whose axes are those of the model at rest. Both NULL: the motion
 * alone. {sin(a / 2), 0, 0, cos(a / 2)} turns y towards z by the angle a. Takes effect with the next frame
 * that is set or drawn, which may be the same one.
 */
bool mmd_scene_set_bone(mmd_scene *scene, size_t model, size_t bone, const float translation[3],
                        const float rotation[4]);

/* Sets the weight of a morph, usually 0 to 1, in place of the motion's; NAN gives it back to the motion.
 * Takes effect like mmd_scene_set_bone. */
bool mmd_scene_set_morph(mmd_scene *scene, size_t model, size_t morph, float weight);

/* Returns the weight of a morph at the current frame. */
float mmd_scene_morph_weight(const mmd_scene *scene, size_t model, size_t morph);

/*
 * Compute the matrix of one bone, and of all bones of a model (bone_count matrices), at the current frame:
 * from the bone's own space, whose origin is its joint, to the world, with physics. The placement of
 * mmd_scene_place is part of it.
 */
bool mmd_scene_bone_matrix(const mmd_scene *scene, size_t model, size_t bone, float matrix[16]);
bool mmd_scene_bone_matrices(const mmd_scene *scene, size_t model, float (*matrices)[16]);

/*
 * Places a model on the stage: position in units, rotation about x, y and z in degrees, and scale, above 0. A
 * point p goes to position + scale * Rz Ry Rx p. Positive angles turn y towards z, z towards x, x towards y:
 * with 90 about y, a dancer who looks at the default camera (along -z) looks along -x. Bones are there at
 * once; hair and clothes move along, and collide there from the next frame on.
 */
bool mmd_scene_place(mmd_scene *scene, size_t model, const float position[3], const float rotation[3],
                     float scale);

/* Shows or hides a model. */
bool mmd_scene_show(mmd_scene *scene, size_t model, bool shown);

/* --- Camera and light --- */

/*
 * The camera: it looks at a target from a distance (above 0: in front of it). With angles 0 it looks along z,
 * and sees the front of a dancer. The angles have the signs of motion files: x below 0 looks down from above,
 * y below 0 from her right hand, z turns the camera about its own axis.
 */
typedef struct mmd_look {
    float target[3]; /* units */
    float angle[3];  /* degrees */
    float distance;  /* units */
    float fov;       /* vertical field of view in degrees */
    bool orthographic;
} mmd_look;

/* Returns the camera at the current frame: that of mmd_scene_look_from, else that of the motions, else MMD's
 * default. */
mmd_look mmd_scene_look(const mmd_scene *scene);

/* Sets the camera in place of the motions', or gives it back with NULL. */
bool mmd_scene_look_from(mmd_scene *scene, const mmd_look *look);

/* Moves a camera, with the angle and field of view that it has, so that all visible models but scenery, or
 * else scenery alone, fit into a picture with this ratio of width to height. Returns false if there is
 * nothing to see. */
bool mmd_scene_fit(const mmd_scene *scene, double aspect, mmd_look *look);

/* Sets the light's colour (0 to 1 each) and the direction of its rays in place of the motions'; NULL gives
 * one back. */
bool mmd_scene_set_light(mmd_scene *scene, const float color[3], const float direction[3]);

/* --- Drawing --- */

/*
 * Draws with the OpenGL context (3.3 core or later) that is current on this thread and belongs to the caller.
 * loader finds OpenGL functions by name: glfwGetProcAddress, SDL_GL_GetProcAddress. Without this call, the
 * first drawing creates a context without a display, and pictures and ids leave the context of EGL current
 * that was. Call it before anything is drawn (else MMD_ERROR_ARGUMENT). Fails with
 * MMD_ERROR_NO_CONTEXT, MMD_ERROR_GL and MMD_ERROR_MEMORY.
 */
mmd_status mmd_scene_use_context(mmd_scene *scene, mmd_gpu_loader loader, mmd_error *error);

/*
 * Uploads what was opened since, with textures. Drawing does so, too; a program calls it where it can afford
 * to wait. A context of the scene itself is current then, as the functions of mmd_scene_view need it. Fails
 * with MMD_ERROR_NO_CONTEXT, MMD_ERROR_GL, MMD_ERROR_LIMIT and MMD_ERROR_MEMORY, as do all functions that
 * draw.
 */
mmd_status mmd_scene_upload(mmd_scene *scene, mmd_error *error);

/* Returns how the scene is drawn unless other options are given (NULL means these): as MMD's own pictures,
 * with what a project says of grid, shadows and background, and with another background for glTF. */
mmd_view_options mmd_scene_view_options(const mmd_scene *scene);

/* Draws the current frame with MMD's look to a picture, which the caller finishes (mmd_image_finish) or
 * reuses. */
mmd_status mmd_scene_picture(mmd_scene *scene, const mmd_view_options *options, uint32_t width,
                             uint32_t height, mmd_image *image, mmd_error *error);

/* Draws to a framebuffer (0: the window's) of this size after clearing it, with the context of
 * mmd_scene_use_context. */
mmd_status mmd_scene_draw(mmd_scene *scene, const mmd_view_options *options, uint32_t framebuffer,
                          uint32_t width, uint32_t height, mmd_error *error);

/*
 * Draws into the scene of a host program, with the context of mmd_scene_use_context. Its camera and depth
 * buffer are used, and its colours stay where no dancer is (mmd_view_draw_into). pixel_centers of options has
 * no effect: pixels are where the host's matrices say. If host->restore_state is set, what is
 * uploaded leaves OpenGL's state as it was, too.
 */
mmd_status mmd_scene_draw_into(mmd_scene *scene, const mmd_view_options *options, const mmd_view_host *host,
                               mmd_error *error);

/* Finds which model, material and bone each pixel of such a picture shows: width * height times three
 * indices, top row first; MMD_VIEW_NO_ID where there is nothing. */
mmd_status mmd_scene_ids(mmd_scene *scene, const mmd_view_options *options, uint32_t width, uint32_t height,
                         uint32_t (*ids)[3], mmd_error *error);

/* Returns the number of textures of a model that could not be drawn, and their names as in the model. Known
 * once it was uploaded. */
size_t mmd_scene_missing_textures(const mmd_scene *scene, size_t model, const char *const **names);

#ifdef __cplusplus
}
#endif

#endif
