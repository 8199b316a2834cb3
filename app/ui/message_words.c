#include "message_words.h"

#include <stdio.h>
#include <string.h>

enum { PARTS = 3 };

/* {1} to {3} stand for names and numbers, in English in this order. A test holds the English sentences against
 * the messages in the code. */
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

bool message_in_japanese(const char *text, char *out, size_t size)
{
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        span parts[PARTS] = {{"", 0}, {"", 0}, {"", 0}};
        if (!match(sentences[i].english, text, parts))
            continue;
        fill(sentences[i].japanese, parts, out, size);
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
