/*
 * Writes the texts of a kit: README.txt in English and Japanese (UTF-8 with a byte order mark and CR LF, for
 * Notepad), frames.txt for people and programs, and mount.cmd.
 */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "kit.h"
#include "mmd/cursor.h"

typedef enum language { ENGLISH, JAPANESE, LANGUAGES } language;

/* --- Notes about properties that a project cannot store --- */

static const struct {
    uint32_t note;
    const char *text[LANGUAGES];
} notes[] = {
    {KIT_BACKGROUND,
     {"the background has a colour, but MMD only has white and black: it is white in this project",
      "背景色は白でも黒でもありませんが、MMDの背景は白か黒です。このプロジェクトは白です"}},
    {KIT_TRANSPARENT,
     {"the background is transparent; MMD writes alpha only to PNG pictures and to 32-bit AVI",
      "背景は透明です。MMDで透明度が出るのはPNG画像と32ビットのAVIだけです"}},
    {KIT_SMOOTH,
     {"odori draws it with --shading smooth, which MMD does not have",
      "odori側は --shading smooth です。MMDにはありません"}},
    {KIT_CENTERS,
     {"odori draws it with --pixel-centers gl, half a pixel away from MMD",
      "odori側は --pixel-centers gl です。MMDと半ピクセルずれます"}},
    {KIT_SDEF,
     {"odori draws it with --sdef slerp, which MMD does not have",
      "odori側は --sdef slerp です。MMDの方式ではありません"}},
    {KIT_FRACTION, {"frames that are not whole numbers are left out", "整数でないフレームは省きました"}},
    {KIT_GRID, {"the coordinate axis is shown", "「座標軸表示」はオンです"}},
    {KIT_PLACED,
     {"a command moved a whole model or changed its opacity or ground shadow; MMD has no such setting",
      "コマンドでモデル全体を動かすか、透明度や地面影を変えています。MMDのモデルにはない設定です"}},
    {KIT_FOV,
     {"the field of view is not a whole number of degrees; it is rounded in the project",
      "視野角が整数ではありません。プロジェクトには四捨五入した値が入っています"}},
    {KIT_DELAY,
     {"a motion has a delay that is negative or not a whole number of frames; the project has no delay",
      "モデルの開始フレームをずらしていますが、整数フレームの遅れではないため、プロジェクトではずれていませ"
      "ん"}},
    {KIT_PARENT,
     {"a bone has an outside parent that MMD does not allow; the project has none",
      "MMDでは外部親を登録できないボーンに外部親を設定しています。プロジェクトには入っていません"}},
    {KIT_PMX,
     {"MMD cannot open a model: it opens PMX of version 2.0 with text in UTF-16 only; save the model as such",
      "MMDが開けないモデルがあります。MMDが開けるのはPMX 2.0でテキストがUTF-16のものだけです"}},
};

enum { NOTES = sizeof notes / sizeof *notes };

/* --- Instructions --- */

static const char *const steps_english[] = {
    "WHAT THIS IS",
    "",
    "Projects (.pmm) for MikuMikuDance 9.32, one for each scene, made by odori capture-kit. Draw the pictures",
    "listed below with MMD and put them into the folder frames. odori diff then compares them with odori's.",
    "Models and motions belong to their authors: read their terms before you pass this folder on.",
    "",
    "1. MODELS",
    "",
    "A project contains absolute Windows paths of its models, because MMD does not open relative ones. The paths",
    "begin with",
    "%ROOT%",
    "On the machine where the kit was made, this is the folder",
    "%BASE%",
    "Copy that folder with everything in it to the Windows path.",
    "@To make a drive " KIT_DRIVE " of any folder, enter this in a command prompt (not as administrator). The drive",
    "@disappears when Windows restarts.",
    "@    subst " KIT_DRIVE " \"C:\\where\\the\\folder\\is\"",
    "%MOUNT%",
    "Or make the kit again for your folder: odori capture-kit SUITE.json --root \"C:\\folder\" -o DIR",
    "",
    "2. FOR EACH PROJECT",
    "",
    "a) Open the project with File > Open. If MMD asks for a model, step 1 is not done.",
    "b) Compare these settings with the list below: View > Output size; View > Anti-aliasing on or off as listed",
    "   (projects do not store it); View > Coordinate axis and Information display off, unless listed otherwise;",
    "   Physical operation as in the project: always, or off. Everything else is in the project. Stay in the mode",
    "   camera, light and accessories.",
    "   If physics is on, hair and clothes depend on the frames before: play from frame 0 up to the frame, or",
    "   render the video of d) from frame 0 on. The pictures will be close to those of odori, but not equal.",
    "   Do not save the project. Do not use effects (MikuMikuEffect).",
    "c) Single pictures: type the number of the frame into the frame box and press Enter. Then choose",
    "   File > Render to picture file, type PNG (or BMP). Use the name in the list:",
    "       frames\\SCENE\\FRAME.png",
    "d) Or all frames in one video: File > Render to AVI file, 30 frames per second, frames FIRST to LAST as",
    "   listed, no compression (or a lossless codec like Ut Video RGB), no sound. Use the name",
    "       frames\\SCENE.avi",
    "",
    "3. COMPARE",
    "",
    "Copy the folder back to the machine with odori (--render creates the folder expect) and run:",
    "    odori diff DIR/expect/SCENE DIR/frames/SCENE --alpha ignore --report REPORT",
    "    odori diff DIR/expect/SCENE DIR/frames/SCENE.avi --frame-offset FIRST --missing ignore",
    "The number in the name of a picture is its frame, so 30.png and 0030.bmp are the same frame.",
    "--alpha ignore is for MMD's PNG: its colours are the whole picture, its alpha is 0 where nothing is drawn.",
    "Leave it out where the list says that the background is transparent.",
    "",
    "SCENES",
    "",
};

static const char *const steps_japanese[] = {
    "このフォルダについて",
    "",
    "odori capture-kit が作った MikuMikuDance 9.32 用のプロジェクト(.pmm)です。1場面に1つあります。",
    "下の一覧の画像をMMDで出力して frames フォルダに入れると、odori diff で odori "
    "の画像との違いを調べられます。",
    "モデルとモーションの権利は作者にあります。このフォルダを人に渡す前に、それぞれの規約を確認してください"
    "。",
    "",
    "1. モデルの場所",
    "",
    "プロジェクトにはモデルの場所がWindowsの絶対パスで入っています(相対パスではMMDは開けません)"
    "。パスの先頭は",
    "%ROOT%",
    "で、これはキットを作ったマシンの次のフォルダにあたります。",
    "%BASE%",
    "このフォルダを中身ごとその場所に置いてください。",
    "@" KIT_DRIVE " ドライブは、コマンドプロンプト(管理者ではない普通のもの)で次のように入力すると作れます。",
    "@再起動すると元に戻ります。",
    "@    subst " KIT_DRIVE " \"C:\\置いた\\場所\"",
    "%MOUNT%",
    "または、場所を指定してキットを作り直します: odori capture-kit SUITE.json --root \"C:\\置いた\\場所\" -o "
    "DIR",
    "",
    "2. プロジェクトごとの手順",
    "",
    "a) 「ファイル」→「開く」でプロジェクトを開きます。モデルの場所を聞かれたら手順1ができていません。",
    "b) 下の一覧と照らし合わせます。「表示」→「出力サイズ」。「表示」→「アンチエイリアス」は一覧のとおりに",
    "   "
    "切り替えます(プロジェクトには保存されません)"
    "。一覧に特に書いていなければ「座標軸表示」「情報表示」はオフ、",
    "   "
    "「物理演算」はプロジェクトのとおり(「常に演算」か「演算しない」)"
    "。それ以外もプロジェクトに入っています。",
    "   演算する場合、髪や服はそのフレームに来るまでの動きで変わります。フレーム0から再生するか、d) の動画を",
    "   フレーム0から出力してください。odori の画像とは近くなりますが、同じにはなりません。",
    "   「カメラ・照明・アクセサリ」モードのまま、",
    "   プロジェクトは上書き保存しないでください。エフェクト(MikuMikuEffect)は使いません。",
    "c) 画像で出すとき: フレーム番号を入力してEnterでその位置に移動し、「ファイル」→「画像ファイルに出力」、",
    "   PNG(またはBMP)。名前は一覧のとおりです。",
    "       frames\\場面\\フレーム.png",
    "d) 動画で出すとき: 「ファイル」→「AVIファイルに出力」、30fps、録画フレームは一覧の最初から最後まで、",
    "   未圧縮(またはUt Video RGBなどの可逆圧縮)、音声なし。名前は次のとおりです。",
    "       frames\\場面.avi",
    "",
    "3. 比べる",
    "",
    "フォルダを odori のあるマシンに戻します(expect フォルダは --render を付けたときにできます)。",
    "    odori diff DIR/expect/場面 DIR/frames/場面 --alpha ignore --report REPORT",
    "    odori diff DIR/expect/場面 DIR/frames/場面.avi --frame-offset 最初 --missing ignore",
    "画像の名前の数字がフレーム番号です。30.png と 0030.bmp は同じフレームになります。",
    "MMDのPNGは背景も色に入っていて、何も描かれていないところの透明度が0です。そのため --alpha ignore "
    "が必要です。",
    "一覧に背景が透明とある場面では付けません。",
    "",
    "場面の一覧",
    "",
};

/* --- Writing --- */

/* Writes a line that ends with CR LF. */
static void line(mmd_buffer *out, const char *text)
{
    mmd_write_format(out, "%s\r\n", text);
}

/* Returns a line of the instructions with its placeholders replaced. Lines that begin with @ are only for the drive.
 * NULL: the line is left out. */
static const char *step_line(const kit *k, const char *step, language in, char text[MMD_FILE_PATH_MAX + 8])
{
    static const char *const mount[LANGUAGES] = {
        "(Or double-click mount.cmd in this folder.)",
        "(このフォルダの mount.cmd をダブルクリックしても同じです。)",
    };
    static const char *const here[LANGUAGES] = {"    (this folder)", "    (このフォルダ)"};
    const kit_options *options = k->options;
    if (*step == '@')
        return options->root_given ? NULL : step + 1;
    if (strcmp(step, "%MOUNT%") == 0)
        return options->copy && !options->root_given ? mount[in] : NULL;
    if (strcmp(step, "%BASE%") == 0 && options->copy)
        return here[in];
    if (strcmp(step, "%BASE%") == 0)
        snprintf(text, MMD_FILE_PATH_MAX + 8, "    %s", *k->base ? k->base : "/");
    else if (strcmp(step, "%ROOT%") == 0)
        snprintf(text, MMD_FILE_PATH_MAX + 8, "    %s\\", options->root);
    else
        return step;
    return text;
}

static void write_steps(mmd_buffer *out, const kit *k, const char *const *steps, size_t count, language in)
{
    char text[MMD_FILE_PATH_MAX + 8];
    for (size_t i = 0; i < count; i++) {
        const char *step = step_line(k, steps[i], in, text);
        if (step)
            line(out, step);
    }
}

/* Writes the settings of a scene and the notes about it. */
static void write_scene(mmd_buffer *out, const kit_scene *s, language in)
{
    static const char *const switches[LANGUAGES][2] = {{"off", "on"}, {"オフ", "オン"}};
    const suite_scene *p = s->scene;
    const char *plural = in == ENGLISH && s->frame_count > 1 ? "s" : "";
    if (in == ENGLISH)
        mmd_write_format(
            out, "%s\r\n    scene %s, %ux%u, anti-aliasing %s, frames %u to %u, %zu picture%s\r\n",
            s->project, p->folder, p->recipe.size.width, p->recipe.size.height, switches[in][s->antialiasing],
            s->frames[0], s->frames[s->frame_count - 1], s->frame_count, plural);
    else
        mmd_write_format(
            out, "%s\r\n    場面 %s、%ux%u、アンチエイリアス %s、フレーム %u から %u、画像 %zu 枚\r\n",
            s->project, p->folder, p->recipe.size.width, p->recipe.size.height, switches[in][s->antialiasing],
            s->frames[0], s->frames[s->frame_count - 1], s->frame_count);
    for (size_t i = 0; i < NOTES; i++)
        if (s->notes & notes[i].note)
            mmd_write_format(out, "    ! %s\r\n", notes[i].text[in]);
}

/* Writes README.txt in one language. */
static void write_part(mmd_buffer *out, const kit *k, const char *const *steps, size_t count, language in)
{
    write_steps(out, k, steps, count, in);
    for (size_t i = 0; i < k->scene_count; i++)
        write_scene(out, &k->scenes[i], in);
}

static void write_readme(mmd_buffer *out, const kit *k)
{
    mmd_write_bytes(out, "\xef\xbb\xbf", 3);
    line(out, "English first. 日本語は後半にあります。");
    line(out, "");
    write_part(out, k, steps_english, sizeof steps_english / sizeof *steps_english, ENGLISH);
    line(out, "");
    line(out, "================================================================================");
    line(out, "");
    write_part(out, k, steps_japanese, sizeof steps_japanese / sizeof *steps_japanese, JAPANESE);
}

/* Writes frames.txt: a table with tabs between columns, and comments that begin with #. */
static void write_frames(mmd_buffer *out, const kit *k)
{
    line(out, "# project\tsize\tanti-aliasing\tframe\tpicture");
    for (size_t i = 0; i < k->scene_count; i++) {
        const kit_scene *s = &k->scenes[i];
        const suite_scene *p = s->scene;
        uint32_t first = s->frames[0], last = s->frames[s->frame_count - 1];
        mmd_write_format(
            out,
            "# %s: or as a video of frames %u to %u, frames\\%s.avi, --frame-offset %u --missing ignore\r\n",
            s->project, first, last, p->folder, first);
        for (size_t f = 0; f < s->frame_count; f++)
            mmd_write_format(out, "%s\t%ux%u\t%s\t%u\tframes\\%s\\%u.png\r\n", s->project,
                             p->recipe.size.width, p->recipe.size.height, s->antialiasing ? "on" : "off",
                             s->frames[f], p->folder, s->frames[f]);
    }
}

/* Writes a text to a file of the kit and frees it. */
static bool finish(const kit *k, const char *target, mmd_buffer *out, problem *why)
{
    bool ok = out->failed ? problem_out_of_memory(why) : kit_write(k, target, out->data, out->size, why);
    mmd_buffer_finish(out);
    return ok;
}

bool kit_write_texts(const kit *k, problem *why)
{
    mmd_buffer frames = {0}, readme = {0}, mount = {0};
    write_frames(&frames, k);
    bool ok = finish(k, "frames.txt", &frames, why);
    write_readme(&readme, k);
    ok = finish(k, "README.txt", &readme, why) && ok;
    if (!k->options->copy || k->options->root_given)
        return ok;
    line(&mount, "@rem Makes the drive " KIT_DRIVE " of the folder of this file.");
    line(&mount, "@for %%I in (\"%~dp0.\") do @subst " KIT_DRIVE " \"%%~fI\"");
    return finish(k, "mount.cmd", &mount, why) && ok;
}
