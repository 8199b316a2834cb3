/* A program with a scene of its own, in which a dancer dances: before a red background, a lit cube circles
 * her, so that it is before her and behind her in turn. usage: own_scene MODEL MOTION [--out FILE.png FRAME]
 */
#define GLFW_INCLUDE_GLCOREARB
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mmd/mmd.h>

enum { WIDTH = 960, HEIGHT = 720 };

/* The camera as this program has it for its own objects: the matrices of view and projection. */
static const float camera[2][16] = {
    {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -10, -40, 1},
    {2.1f, 0, 0, 0, 0, 2.8f, 0, 0, 0, 0, -1.01f, -1, 0, 0, -2.01f, 0},
};

/* The cube is a strip of 14 corners, whose coordinates are the bits of three numbers. */
static const char *const shaders[2] = {
    "#version 330 core\nuniform mat4 camera[2]; uniform vec2 way; out vec3 place;\n"
    "void main() { int bit = 1 << gl_VertexID;\n"
    "  vec3 q = vec3((0x287a & bit) != 0, (0x02af & bit) != 0, (0x31e3 & bit) != 0) * 5 - 2.5;\n"
    "  place = vec3(7 * way.x, 11, 7 * way.y) + mat3(way.y, 0, -way.x, 0, 1, 0, way.x, 0, way.y) * q;\n"
    "  gl_Position = camera[1] * camera[0] * vec4(place, 1); }\n",
    "#version 330 core\nin vec3 place; out vec4 color;\n"
    "void main() { vec3 normal = normalize(cross(dFdx(place), dFdy(place)));\n"
    "  color = vec4(vec3(0.3, 0.5, 1) * (0.6 + 0.4 * dot(normal, vec3(-0.5, 0.6, 0.6))), 1); }\n"};

/* clang-format off */
#define FUNCTIONS(X) /* the functions of OpenGL that this program calls itself */ \
    X(CREATESHADER, CreateShader) X(SHADERSOURCE, ShaderSource) X(COMPILESHADER, CompileShader) \
    X(ATTACHSHADER, AttachShader) X(CREATEPROGRAM, CreateProgram) X(LINKPROGRAM, LinkProgram) \
    X(USEPROGRAM, UseProgram) X(GETUNIFORMLOCATION, GetUniformLocation) X(UNIFORM2F, Uniform2f) \
    X(UNIFORMMATRIX4FV, UniformMatrix4fv) X(GENVERTEXARRAYS, GenVertexArrays) X(ENABLE, Enable) \
    X(BINDVERTEXARRAY, BindVertexArray) X(CLEARCOLOR, ClearColor) X(CLEAR, Clear) \
    X(DRAWARRAYS, DrawArrays) X(READPIXELS, ReadPixels)
/* clang-format on */
#define DECLARE(TYPE, name) static PFNGL##TYPE##PROC gl##name;
#define LOAD(TYPE, name)    gl##name = (PFNGL##TYPE##PROC)glfwGetProcAddress("gl" #name);
FUNCTIONS(DECLARE)

/* Prepares the program's own objects. Returns where the shader takes the place of the cube from. */
static int prepare(void)
{
    unsigned array, program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        const unsigned shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &shaders[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "camera"), 2, GL_FALSE, camera[0]);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glEnable(GL_DEPTH_TEST);
    glClearColor(0.8f, 0.1f, 0.1f, 1);
    return glGetUniformLocation(program, "way");
}

/* Draws a frame: first the program's own objects, then the dancer among them. */
static bool draw(mmd_scene *dancer, int way, double frame, mmd_error *error)
{
    mmd_view_host host = mmd_default_view_host();
    host.place = (mmd_view_place){.width = WIDTH, .height = HEIGHT};
    memcpy(host.view, camera[0], sizeof camera[0]);
    memcpy(host.projection, camera[1], sizeof camera[1]);
    host.restore_state = true;
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUniform2f(way, sinf((float)frame / 30), cosf((float)frame / 30));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 14);
    return mmd_scene_set_frame(dancer, frame, error) == MMD_OK &&
           mmd_scene_draw_into(dancer, NULL, &host, error) == MMD_OK;
}

int main(int argc, char **argv)
{
    char sentence[1024];
    mmd_error error = {0};
    mmd_scene *dancer = NULL;
    const bool out = argc == 6 && strcmp(argv[3], "--out") == 0;
    if ((argc != 3 && !out) || !glfwInit())
        return 2;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow *window = glfwCreateWindow(WIDTH, HEIGHT, "A scene of my own", NULL, NULL);
    if (!window)
        return 2;
    glfwMakeContextCurrent(window);
    FUNCTIONS(LOAD)
    const int way = prepare();
    bool ok = mmd_scene_create(NULL, &dancer, &error) == MMD_OK &&
              mmd_scene_open(dancer, argv[1], &error) == MMD_OK &&
              mmd_scene_open(dancer, argv[2], &error) == MMD_OK &&
              mmd_scene_use_context(dancer, glfwGetProcAddress, &error) == MMD_OK;
    if (ok && out && (ok = draw(dancer, way, atof(argv[5]), &error))) {
        static unsigned char pixels[HEIGHT][4 * WIDTH]; /* OpenGL's first row is the lowest */
        for (int y = 0; y < HEIGHT; y++)
            glReadPixels(0, HEIGHT - 1 - y, WIDTH, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels[y]);
        const mmd_image image = {.width = WIDTH, .height = HEIGHT, .pixels = pixels[0]};
        ok = mmd_image_write(argv[4], &image, &error) == MMD_OK;
    }
    for (glfwSetTime(0); ok && !out && !glfwWindowShouldClose(window); glfwPollEvents()) {
        ok = draw(dancer, way, 30 * glfwGetTime(), &error);
        glfwSwapBuffers(window);
    }
    if (!ok)
        fprintf(stderr, "%s\n", mmd_error_sentence(&error, sentence, sizeof sentence));
    mmd_scene_destroy(dancer);
    glfwTerminate();
    return ok ? 0 : 1;
}
