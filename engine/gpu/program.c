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

/* Begins to compile a shader. */
static GLuint compile(GLenum kind, const mmd_gpu_shader_stage *stage, const char *defines)
{
    pieces p;
    assemble(&p, stage, defines);
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, p.count, p.text, p.length);
    glCompileShader(shader);
    return shader;
}

uint32_t mmd_gpu_program_begin(mmd_gpu *gpu, const mmd_gpu_program_desc *desc)
{
    assert(gpu && desc && desc->label);
    const struct {
        GLenum kind;
        const mmd_gpu_shader_stage *stage;
    } stages[] = {{GL_VERTEX_SHADER, &desc->vertex},
                  {GL_GEOMETRY_SHADER, &desc->geometry},
                  {GL_FRAGMENT_SHADER, &desc->fragment}};
    const double start = gpu_seconds();
    const GLuint program = glCreateProgram();
    for (int i = 0; i < 3 && program; i++) {
        if (!stages[i].stage->main.text)
            continue;
        const GLuint shader = compile(stages[i].kind, stages[i].stage, desc->defines);
        glAttachShader(program, shader);
        glDeleteShader(shader); /* lives as long as the program */
    }
    if (program && desc->captured_count)
        glTransformFeedbackVaryings(program, (GLsizei)desc->captured_count, desc->captured,
                                    GL_INTERLEAVED_ATTRIBS);
    if (program)
        glLinkProgram(program);
    gpu->counts.programs++;
    gpu->counts.program_seconds += gpu_seconds() - start;
    return program;
}

/* Logs what the driver says about the shaders of a program, or about linking it if they are right. */
static void log_failure(const mmd_gpu *gpu, GLuint program, const mmd_gpu_program_desc *desc)
{
    char message[MESSAGE_MAX] = "";
    GLuint shaders[3];
    GLsizei count = 0;
    bool compiled = true;
    glGetAttachedShaders(program, 3, &count, shaders);
    for (GLsizei i = 0; i < count; i++) {
        GLint done = 0, kind = 0;
        glGetShaderiv(shaders[i], GL_COMPILE_STATUS, &done);
        if (done)
            continue;
        compiled = false;
        glGetShaderiv(shaders[i], GL_SHADER_TYPE, &kind);
        glGetShaderInfoLog(shaders[i], MESSAGE_MAX, NULL, message);
        log_lines(gpu,
                  kind == GL_VERTEX_SHADER     ? &desc->vertex
                  : kind == GL_GEOMETRY_SHADER ? &desc->geometry
                                               : &desc->fragment,
                  message);
    }
    if (!compiled)
        return;
    glGetProgramInfoLog(program, MESSAGE_MAX, NULL, message);
    log_lines(gpu, &desc->vertex, message);
}

mmd_status mmd_gpu_program_finish(mmd_gpu *gpu, const mmd_gpu_program_desc *desc, uint32_t *program,
                                  mmd_error *error)
{
    assert(gpu && desc && program);
    GLint done = 0;
    const double start = gpu_seconds();
    if (*program)
        glGetProgramiv(*program, GL_LINK_STATUS, &done);
    gpu->counts.program_seconds += gpu_seconds() - start;
    if (done) {
        gpu_label(gpu, GL_PROGRAM, *program, desc->label);
        return mmd_gpu_check(gpu, "creating a program", error);
    }
    if (*program)
        log_failure(gpu, *program, desc);
    mmd_gpu_program_destroy(gpu, *program);
    *program = 0;
    return mmd_error_set(error, MMD_ERROR_GL, "", MMD_NO_OFFSET,
                         "the driver rejects the shader %s (see the log)", desc->label);
}

mmd_status mmd_gpu_program_create(mmd_gpu *gpu, const mmd_gpu_program_desc *desc, uint32_t *result,
                                  mmd_error *error)
{
    assert(gpu && desc && result && desc->label);
    *result = mmd_gpu_program_begin(gpu, desc);
    return mmd_gpu_program_finish(gpu, desc, result, error);
}

void mmd_gpu_program_destroy(mmd_gpu *gpu, uint32_t program)
{
    glDeleteProgram(program);
    gpu_forget_bindings(gpu);
}
