/*
 * Compiles programs from shader files. The source consists of the #version line of the main file, the
 * defines, the parts and the rest of the main file. Each file starts with a #line directive whose second
 * number identifies it in the driver's messages.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "gpu_internal.h"

enum { PIECES_MAX = 24, PARTS_MAX = 8, MESSAGE_MAX = 4096 };

/* Strings for glShaderSource. lines holds the text of the #line directives. */
typedef struct pieces {
    const char *text[PIECES_MAX];
    GLint length[PIECES_MAX];
    GLsizei count;
    char lines[PARTS_MAX + 1][32];
} pieces;

static void add(pieces *p, const char *text, size_t length)
{
    assert(p->count < PIECES_MAX);
    p->text[p->count] = text;
    p->length[p->count++] = (GLint)length;
}

/* Adds a #line directive for a file; slot is where its text is stored. */
static void add_line(pieces *p, size_t slot, unsigned line, unsigned file)
{
    snprintf(p->lines[slot], sizeof p->lines[slot], "#line %u %u\n", line, file);
    add(p, p->lines[slot], strlen(p->lines[slot]));
}

/* Assembles the source of a shader. File 0 is the main one, files from 1 on are the parts. */
static void assemble(pieces *p, const mmd_gpu_shader_stage *stage, const char *defines)
{
    assert(stage->part_count <= PARTS_MAX && strncmp(stage->main.text, "#version", 8) == 0);
    const char *rest = strchr(stage->main.text, '\n') + 1;
    p->count = 0;
    add(p, stage->main.text, (size_t)(rest - stage->main.text));
    if (defines)
        add(p, defines, strlen(defines));
    for (size_t i = 0; i < stage->part_count; i++) {
        add_line(p, i, 1, (unsigned)i + 1);
        add(p, stage->parts[i].text, strlen(stage->parts[i].text));
    }
    add_line(p, stage->part_count, 2, 0);
    add(p, rest, strlen(rest));
}

static const char *file_name(const mmd_gpu_shader_stage *stage, unsigned file)
{
    if (file == 0)
        return stage->main.name;
    return file <= stage->part_count ? stage->parts[file - 1].name : "?";
}

/* Logs a line of the driver, "1:23(4): error" (Mesa) or "1(23) : error" (others), with the file's number
 * replaced by its name. */
static void log_line(const mmd_gpu *gpu, const mmd_gpu_shader_stage *stage, const char *line)
{
    unsigned file;
    int used = 0;
    if (sscanf(line, "%u%n", &file, &used) == 1 && used > 0 && (line[used] == ':' || line[used] == '('))
        mmd_log_message(&gpu->log, MMD_LOG_ERROR, "%s%s", file_name(stage, file), line + used);
    else
        mmd_log_message(&gpu->log, MMD_LOG_ERROR, "%s: %s", stage->main.name, line);
}

/* Logs a message of the driver line by line. text is modified. */
static void log_lines(const mmd_gpu *gpu, const mmd_gpu_shader_stage *stage, char *text)
{
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        if (*line)
            log_line(gpu, stage, line);
        line = end;
    }
}

/* Compiles a shader. Logs the driver's messages and returns 0 on failure. */
static GLuint compile(const mmd_gpu *gpu, GLenum kind, const mmd_gpu_shader_stage *stage, const char *defines)
{
    pieces p;
    assemble(&p, stage, defines);
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, p.count, p.text, p.length);
    glCompileShader(shader);
    GLint done = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done)
        return shader;
    char message[MESSAGE_MAX] = "";
    glGetShaderInfoLog(shader, MESSAGE_MAX, NULL, message);
    log_lines(gpu, stage, message);
    glDeleteShader(shader);
    return 0;
}

/* Links a program. Logs the driver's messages on failure. */
static bool link(const mmd_gpu *gpu, GLuint program, const mmd_gpu_program_desc *desc)
{
    if (desc->captured_count)
        glTransformFeedbackVaryings(program, (GLsizei)desc->captured_count, desc->captured,
                                    GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    GLint done = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (done)
        return true;
    char message[MESSAGE_MAX] = "";
    glGetProgramInfoLog(program, MESSAGE_MAX, NULL, message);
    log_lines(gpu, &desc->vertex, message);
    return false;
}

mmd_status mmd_gpu_program_create(mmd_gpu *gpu, const mmd_gpu_program_desc *desc, uint32_t *result,
                                  mmd_error *error)
{
    assert(gpu && desc && result && desc->label);
    *result = 0;
    const struct {
        GLenum kind;
        const mmd_gpu_shader_stage *stage;
    } stages[] = {{GL_VERTEX_SHADER, &desc->vertex},
                  {GL_GEOMETRY_SHADER, &desc->geometry},
                  {GL_FRAGMENT_SHADER, &desc->fragment}};
    GLuint program = glCreateProgram();
    for (int i = 0; i < 3 && program; i++) {
        if (!stages[i].stage->main.text)
            continue;
        GLuint shader = compile(gpu, stages[i].kind, stages[i].stage, desc->defines);
        if (shader) {
            glAttachShader(program, shader);
            glDeleteShader(shader); /* lives as long as the program */
        } else {
            glDeleteProgram(program);
            program = 0;
        }
    }
    if (program && !link(gpu, program, desc)) {
        glDeleteProgram(program);
        program = 0;
    }
    if (!program)
        return mmd_error_set(error, MMD_ERROR_GL, "", MMD_NO_OFFSET,
                             "the driver rejects the shader %s (see the log)", desc->label);
    gpu_label(gpu, GL_PROGRAM, program, desc->label);
    *result = program;
    return mmd_gpu_check(gpu, "creating a program", error);
}

void mmd_gpu_program_destroy(mmd_gpu *gpu, uint32_t program)
{
    glDeleteProgram(program);
    gpu_forget_bindings(gpu);
}
