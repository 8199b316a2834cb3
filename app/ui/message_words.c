#include "message_words.h"

#include <stdio.h>
#include <string.h>

enum { PARTS = 3, REASON_MAX = 512 };

/* {1} to {3} stand for names and numbers, in English in this order. A test holds the English sentences
 * against the messages in the code. */
/* clang-format off */
static const struct {
    const char *english, *japanese;
} sentences[] = {
    {"{1}: reloaded", "{1}：再読み込みしました"},
    {"everything is saved", "すべて保存済みです"},
    {"saved {1}", "{1}を保存しました"},
    {"unsaved edits were written to {1}", "保存されていない編集を{1}に書き出しました"},
    {"{1}: picture of frame {2} written", "{1}：フレーム{2}の画像を保存しました"},
    {"the picture of frame {1} was copied to the clipboard", "フレーム{1}の画像をコピーしました"},
    {"the pose of frame {1} was copied to the clipboard", "フレーム{1}のポーズをコピーしました"},
    {"{1}: loading was cancelled", "{1}：読み込みを中止しました"},
    {"a file is being loaded; try again when it is done", "ファイルを読み込み中です。終わってからもう一度実行してください"},
    {"no audio device: playing without sound", "音声デバイスがないため、音なしで再生します"},
    {"an audio device is available again", "音声デバイスが再び使えるようになりました"},
    {"the audio starts at {1} s of the scene", "音声は{1}秒から始まります"},
    {"physics is slower than real time: playback slows down", "物理演算が間に合わないため、再生が遅くなります"},
    {"there is nothing to close; the key {1} quits", "閉じるものはありません。{1}キーで終了します"},
    {"{1} is number {2} of the playlist", "{1}をプレイリストの{2}曲目に追加しました"},
    {"the own playlist cannot be written; its file stays as it is", "自分のプレイリストを書き込めません。ファイルは元のままです"},
    {"there is no playlist; give one with --playlist, open one, or add dances", "プレイリストがありません。開くか、ダンスを追加してください"},
    {"{1}: not opened: it is no model, stage, motion, pose, project or sound, and no picture saved by odori", "{1}：開けません。モデル・ステージ・モーション・ポーズ・プロジェクト・音声、またはodoriで保存した画像ではありません"},
    {"{1}: not opened: only pictures that odori saved lead back to a scene", "{1}：開けません。開ける画像は、odoriで保存したものだけです"},
    {"{1}: no model is loaded that it could move", "{1}：動かすモデルが読み込まれていません"},
    {"{1}: the motion has no keyframes of models, camera or light", "{1}：モデル・カメラ・照明のキーフレームがありません"},
    {"{1}: out of memory", "{1}：メモリが足りません"},
    {"{1} is off, with its camera: \"Motions\" on the page Models switches it on again, undo both", "{1}をカメラと共にオフにしました。「モデル」の「モーション」で再びオンにできます（元に戻すとカメラも戻ります）"},
    {"{1} is off: \"Motions\" on the page Models, or undo, switches it on again", "{1}をオフにしました。「モデル」の「モーション」か「元に戻す」で再びオンにできます"},
    {"{1} and older dances are off, with its camera: \"Motions\" on the page Models switches it on again, undo both", "{1}など以前のダンスをカメラと共にオフにしました。「モデル」の「モーション」で再びオンにできます"},
    {"{1} and older dances are off: \"Motions\" on the page Models, or undo, switches it on again", "{1}など以前のダンスをオフにしました。「モデル」の「モーション」か「元に戻す」で再びオンにできます"},
    {"{1}: the first keyframes of {2} (from frame {3} on) hold from frame 0, where MMD starts at rest; key.rest adds keyframes at rest there", "{1}：最初のキーフレーム（フレーム{3}から）の値がフレーム0から続いています。MMDではフレーム0は初期姿勢です"},
    {"simulating {1} s of motion to reach frame {2}, {3} s are done; without physics (--physics off) it is shown at once", "フレーム{2}までの物理演算を行っています（{1}秒のうち{3}秒まで完了）。物理演算をオフにすると、すぐに表示します"},
    {"{1}: texture {2}: there is no such file", "{1}：テクスチャ{2}がありません"},
    {"{1}: texture {2}: {3}", "{1}：テクスチャ{2}：{3}"},
    {"{1}: {2} further textures are missing or not opened", "{1}：ほか{2}個のテクスチャがないか、開けません"},
    {"no motion has camera keyframes", "カメラのキーフレームがあるモーションはありません"},
    {"nothing is selected; select an item first (`edit.select PATH`)", "何も選択されていません。先に選択してください"},
    {"there is no model", "モデルがありません"},
    /* Refusals and reasons, by the folder of the code; of files they follow the name and ": ". */
    /* engine/base */
    {"a count of {1}, but the {2} bytes that are left hold at most {3}", "個数{1}が大きすぎます（残り{2}バイトに入るのは{3}個まで）"},
    {"a negative count, {1}", "個数が負の値です（{1}）"},
    {"cannot be opened", "開けません"},
    {"cannot be read", "読み込めません"},
    {"cannot be written", "書き込めません"},
    {"it changed while it was read: open it again when it is complete", "読み込み中にファイルが変わりました。書き込みが終わってから開き直してください"},
    {"it is made up by the system, not a regular file", "システムの特殊ファイルで、通常のファイルではありません"},
    {"it is not an ordinary file", "通常のファイルではありません"},
    {"it leads out of the folder", "フォルダの外を指しています"},
    {"no memory for the file", "ファイルを読み書きするメモリが足りません"},
    {"out of memory", "メモリが足りません"},
    {"the file is larger than 2 GiB", "ファイルが2 GiBを超えています"},
    {"there is no such file", "ファイルがありません"},
    {"{1} bytes are needed and {2} are left", "ファイルが途中で切れています（必要{1}バイト、残り{2}バイト）"},
    /* engine/exchange */
    {"file not found: {1}", "ファイルが見つかりません：{1}"},
    {"neither glTF nor Ragdoll", "glTFでもRagdollでもありません"},
    {"requires the unsupported extension {1}", "対応していない拡張機能{1}が必要です"},
    {"version {1} of GLB is not supported", "GLBのバージョン{1}には対応していません"},
    /* engine/format */
    {"PMD version {1}, not 1.0", "PMDのバージョンが{1}です（1.0のみ対応）"},
    {"PMX 1.0 is not supported", "PMX 1.0には対応していません"},
    {"PMX version {1}, not 2.0 or 2.1", "PMXのバージョンが{1}です（2.0か2.1のみ対応）"},
    {"a name has characters that Shift-JIS lacks; the file has `?' for them", "Shift-JISにない文字は「?」にしました"},
    {"a project holds no more than {1} accessories", "プロジェクトに入るアクセサリは{1}個までです"},
    {"a project holds no more than {1} models", "プロジェクトに入るモデルは{1}体までです"},
    {"deform type {1}, not 0 to 4", "ウェイト変形方式{1}が不正です（0～4）"},
    {"line {1}: {2} is expected", "{1}行目：{2}が必要です"},
    {"morph type {1}, not 0 to 10", "モーフの種類{1}が不正です（0～10）"},
    {"no `{1}' at the start", "先頭に「{1}」がありません"},
    {"no memory for a model", "モデルを読み込むメモリが足りません"},
    {"no model: neither PMX nor PMD nor X", "モデルではありません（PMX・PMD・Xのいずれでもない）"},
    {"a motion or a pose instead of a model", "モデルではなくモーションまたはポーズです"},
    {"a project instead of a model", "モデルではなくプロジェクトです"},
    {"only projects of versions 0001 and 0002 are known; save it in MMD 9", "対応していないプロジェクトです。MMD 9で保存し直してください"},
    {"text encoding {1}, not 0 (UTF-16) or 1 (UTF-8)", "文字コードの値{1}が不正です"},
    {"the compressed data are damaged", "圧縮データが壊れています"},
    {"the file does not begin with `PMX `", "PMXファイルではありません"},
    {"the file does not begin with `Pmd`", "PMDファイルではありません"},
    {"the file does not begin with `xof '", "Xファイルではありません"},
    {"vertex {1} in a face, but there are {2}", "面の頂点{1}がありません（頂点数{2}）"},
    {"vertex {1}, but there are {2}", "頂点{1}はありません（頂点数{2}）"},
    {"{1} IK links, but there are {2} bones", "IKリンクが{1}個で、ボーン数{2}を超えています"},
    {"{1} additional UVs, not 0 to 4", "追加UV数{1}が不正です（0～4）"},
    {"{1} bones follow, and the count says {2}", "ボーン数が{2}なのに、{1}個あります"},
    {"{1} indices, not a multiple of three", "頂点インデックスの数{1}が3の倍数ではありません"},
    /* engine/image */
    {"a picture of {1} by {2} pixels; the limit is {3} a side", "画像が大きすぎます（{1}×{2}、上限は一辺{3}）"},
    {"no memory for the picture", "画像を読み込むメモリが足りません"},
    {"the file ends in the middle of the picture: {1} bytes of at least {2}", "画像が途中で切れています（{2}バイト中{1}バイト）"},
    {"the file is not a picture in a known format", "対応していない画像形式です"},
    {"the picture is an empty file", "画像ファイルが空です"},
    {"the picture is damaged: {1}", "画像が壊れています：{1}"},
    {"the picture is too large", "画像が大きすぎます"},
    /* engine/model, engine/view */
    {"OpenGL 3.3 is needed, but this is {1} on {2}", "OpenGL 3.3が必要です（{2}の{1}）"},
    {"bone {1} is its own ancestor", "ボーン{1}の親子関係が循環しています"},
    {"its bytes are those of another texture, which is reported", "別のテクスチャと同じ内容です"},
    /* app/command */
    {"a field of view of {1} is not between 0 and 180 degrees", "視野角{1}は0～180度の範囲外です"},
    {"a quote is not closed", "引用符が閉じていません"},
    {"a weight of {1} is not between 0 and 1", "表情の値{1}は0～1の範囲外です"},
    {"an opacity of {1} is not between 0 and 1", "不透明度{1}は0～1の範囲外です"},
    {"nothing is above {1}", "{1}より上はありません"},
    {"the scene has no last frame: only physics moves it", "最終フレームがありません（物理演算だけで動いています）"},
    {"there is nothing to fit: no model is visible", "表示されているモデルがありません"},
    {"unknown command \"{1}\"; `help` lists them", "「{1}」というコマンドはありません（helpで一覧）"},
    {"{1} has no keyframe at frame {2}", "{1}にはフレーム{2}のキーがありません"},
    {"{1} is not a frame", "{1}はフレーム番号ではありません"},
    {"{1} is out of range: the limit is a million", "{1}は範囲外です（上限は百万）"},
    {"{1} takes no arguments, not {2}", "{1}に引数は不要です（{2}個）"},
    {"{1}: \"{2}\" is not a number", "{1}：「{2}」は数値ではありません"},
    {"{1}: \"{2}\" is not on or off", "{1}：「{2}」はonかoffではありません"},
    /* app/document */
    {"a model cannot replace an accessory", "モデルでアクセサリを差し替えることはできません"},
    {"an accessory cannot replace a model", "アクセサリでモデルを差し替えることはできません"},
    {"another file is being loaded; try again when it is done", "別のファイルを読み込み中です。終わってからもう一度実行してください"},
    {"cannot be opened; the scene is unchanged", "開けません。シーンは元のままです"},
    {"it is neither a folder nor an archive", "フォルダでも書庫でもありません"},
    {"nothing is picked", "何も選ばれていません"},
    {"one file takes the place of a model, not {1}", "モデルと差し替えるファイルは1つです（{1}個）"},
    {"the archive has no such folder", "書庫にそのフォルダがありません"},
    {"the folder cannot be read: {1}", "フォルダを読めません：{1}"},
    {"the model that it should replace was removed meanwhile", "差し替えるモデルは削除されました"},
    {"the path is too long", "パスが長すぎます"},
    {"there is no such folder", "フォルダがありません"},
    {"unsaved edits of {1} could not be written to the recovery folder", "{1}の保存されていない編集を書き出せませんでした"},
    {"{1} was removed", "{1}は削除されました"},
    /* app/edit: labels of undo and redo, then refusals */
    {"bone", "ボーン"},
    {"copy key", "キーフレームのコピー"},
    {"key", "キーフレーム"},
    {"key curve", "補間曲線"},
    {"morph", "表情"},
    {"move key", "キーフレームの移動"},
    {"open dance", "ダンスを開く"},
    {"open model", "モデルを開く"},
    {"outside parent", "外部親"},
    {"place", "配置"},
    {"register key", "キーフレームの登録"},
    {"remove key", "キーフレームの削除"},
    {"remove model", "モデルを削除"},
    {"rename model", "モデル名の変更"},
    {"replace model", "モデルを差し替え"},
    {"reset", "初期化"},
    {"rotate", "回転"},
    {"rotate pivot", "回転の中心"},
    {"scale", "拡大・縮小"},
    {"scale pivot", "拡大・縮小の中心"},
    {"set matrix", "変形"},
    {"translate", "移動"},
    {"keyframes cannot be set while mirrored; `{1} off` first", "左右反転中はキーを登録できません"},
    {"model {1} was removed; undo brings it back", "モデル{1}は削除されています。「元に戻す」で戻せます"},
    {"the selection cannot be edited in this way", "選択中のものにこの編集はできません"},
    {"there is no model \"{1}\"", "「{1}」というモデルはありません"},
    {"there is nothing to save: camera, light and self shadow have no keyframes", "保存するカメラ・照明・セルフ影のキーがありません"},
    {"there is nothing to save: the model has no motion, and no keyframe was set", "保存するモーションがありません"},
    {"{1} has none of the pose's bones and morphs", "{1}には、このポーズのボーンも表情もありません"},
    /* app/media, app/player, app/scene */
    {"a model instead of a motion (VMD) or a pose (VPD)", "モーションやポーズではなく、モデルです"},
    {"it is damaged", "壊れています"},
    {"neither a motion (VMD) nor a pose (VPD)", "モーション（VMD）でもポーズ（VPD）でもありません"},
    {"no model is loaded", "モデルが読み込まれていません"},
    {"none of its models was found", "プロジェクトのモデルが1つも見つかりません"},
    {"not a supported sound file (WAV, OGG, FLAC, MP3)", "対応していない音声形式です（WAV・OGG・FLAC・MP3のみ）"},
    {"not enough memory for the sound", "音声を読み込むメモリが足りません"},
    {"the clipboard contains neither a pose (VPD) nor paths of existing files", "クリップボードにポーズもファイルもありません"},
    {"the clipboard contains no text", "クリップボードに文字がありません"},
    {"the project has no models", "プロジェクトにモデルがありません"},
    {"{1} is not a folder that can be written to", "{1}には書き込めません"},
};
/* clang-format on */

/* A part of a message that stands in a {1}. */
typedef struct span {
    const char *at;
    size_t length;
} span;

/* Tests whether a text is a sentence, and finds its parts: each reaches up to the first place where the
 * sentence goes on, the last one as far as it can. */
static bool match(const char *sentence, const char *text, span parts[PARTS])
{
    while (*sentence) {
        const char *open = strchr(sentence, '{');
        size_t fixed = open ? (size_t)(open - sentence) : strlen(sentence);
        if (strncmp(sentence, text, fixed) != 0)
            return false;
        text += fixed;
        sentence += fixed;
        if (!open)
            return *text == '\0';
        span *part = &parts[open[1] - '1'];
        sentence = open + 3;
        char next[128];
        snprintf(next, sizeof next, "%.*s", (int)strcspn(sentence, "{"), sentence);
        const char *end = *next ? strstr(text, next) : text + strlen(text);
        while (end && *next && !strchr(sentence, '{') && strcmp(end, next) != 0)
            end = strstr(end + 1, next);
        if (!end || end == text)
            return false;
        *part = (span){text, (size_t)(end - text)};
        text = end;
    }
    return *text == '\0';
}

/* Writes a sentence with its parts. */
static void fill(const char *sentence, const span parts[PARTS], char *out, size_t size)
{
    size_t n = 0;
    while (*sentence && n < size) {
        size_t fixed = strcspn(sentence, "{");
        const span *part = sentence[fixed] ? &parts[sentence[fixed + 1] - '1'] : NULL;
        int wrote = snprintf(out + n, size - n, "%.*s%.*s", (int)fixed, sentence,
                             part ? (int)part->length : 0, part ? part->at : "");
        n += wrote > 0 ? (size_t)wrote : 0;
        sentence += part ? fixed + 3 : fixed;
    }
}

/* Translates a text that is a sentence as a whole. A reason at its end is translated too, if it is one. */
static bool translate(const char *text, char *out, size_t size)
{
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        const char *english = sentences[i].english;
        size_t length = strlen(english), last = 0;
        span parts[PARTS] = {{"", 0}, {"", 0}, {"", 0}};
        char reason[REASON_MAX];
        if (!match(english, text, parts))
            continue;
        if (length > 5 && strncmp(english + length - 5, ": {", 3) == 0)
            last = (size_t)(english[length - 2] - '0');
        if (last && translate(parts[last - 1].at, reason, sizeof reason)) /* it reaches to the end */
            parts[last - 1] = (span){reason, strlen(reason)};
        fill(sentences[i].japanese, parts, out, size);
        return true;
    }
    return false;
}

bool message_in_japanese(const char *text, char *out, size_t size)
{
    if (translate(text, out, size))
        return true;
    char reason[REASON_MAX];
    for (const char *at = strstr(text, ": "); at; at = strstr(at + 1, ": "))
        if (translate(at + 2, reason, sizeof reason)) {
            snprintf(out, size, "%.*s：%s", (int)(at - text), text, reason);
            return true;
        }
    return false;
}

const char *message_words_from(size_t i)
{
    return i < sizeof sentences / sizeof *sentences ? sentences[i].english : NULL;
}

const char *message_words_at(size_t i)
{
    return i < sizeof sentences / sizeof *sentences ? sentences[i].japanese : NULL;
}
