#include "binding_help.h"

#include <string.h>

/* Groups by how a command's name begins, `toggle` aside. All others are the window's. */
static const struct {
    const char *start;
    binding_group group;
} groups[] = {
    {"play.", BINDINGS_TIME},     {"frame.", BINDINGS_TIME},   {"playlist.", BINDINGS_TIME},
    {"audio.", BINDINGS_TIME},    {"play", BINDINGS_TIME},     {"pause", BINDINGS_TIME},
    {"camera.", BINDINGS_CAMERA}, {"light.", BINDINGS_CAMERA}, {"view.", BINDINGS_VIEW},
    {"material.", BINDINGS_VIEW}, {"undo", BINDINGS_EDIT},     {"redo", BINDINGS_EDIT},
    {"bone.", BINDINGS_EDIT},     {"morph.", BINDINGS_EDIT},   {"model.", BINDINGS_EDIT},
    {"physics", BINDINGS_EDIT},   {"gizmo.", BINDINGS_EDIT},   {"pose.", BINDINGS_EDIT},
    {"edit.", BINDINGS_EDIT},     {"picture.", BINDINGS_EDIT}, {"paste", BINDINGS_EDIT},
};

static const struct {
    const char *command, *japanese;
} words[] = {
    {"play.toggle", "再生・一時停止"},
    {"frame.step -1", "1フレーム戻る"},
    {"frame.step 1", "1フレーム進む"},
    {"frame.step -10", "10フレーム戻る"},
    {"frame.step 10", "10フレーム進む"},
    {"frame.beat -1", "1拍戻る"},
    {"frame.beat 1", "1拍進む"},
    {"frame.set 0", "先頭のフレームへ"},
    {"frame.cut -1", "前のカメラ切替へ"},
    {"frame.cut 1", "次のカメラ切替へ"},
    {"play.faster -1", "遅くする"},
    {"play.faster 1", "速くする"},
    {"play.speed 1", "元の速さ"},
    {"play.ab next", "区間リピート: 始点・終点・解除"},
    {"toggle play.loop", "ループ再生の切替"},
    {"toggle play.mirror", "左右反転の切替"},
    {"playlist.next", "次の曲へ"},
    {"playlist.previous", "前の曲へ"},
    {"audio.shift -0.01", "音を早める"},
    {"audio.shift 0.01", "音を遅らせる"},
    {"camera.motion on", "モーションのカメラ"},
    {"camera.reset", "MMDの初期カメラ"},
    {"camera.fit", "全モデルを画面に収める"},
    {"toggle camera.follow", "カメラ追従の切替"},
    {"toggle camera.perspective", "パースペクティブの切替"},
    {"camera.view front", "正面から"},
    {"camera.view back", "背面から"},
    {"camera.view left", "左から"},
    {"camera.view right", "右から"},
    {"camera.view top", "上から"},
    {"camera.view bottom", "下から"},
    {"toggle view.bodies", "剛体の表示"},
    {"toggle view.joints", "ジョイントの表示"},
    {"toggle view.contacts", "接触点の表示"},
    {"toggle view.wireframe", "ワイヤーフレーム"},
    {"toggle view.normals", "法線の表示"},
    {"toggle view.clay", "材質なしの灰色"},
    {"toggle view.bones", "ボーンの表示"},
    {"toggle view.grid", "座標軸の表示"},
    {"toggle view.edge", "エッジの表示"},
    {"toggle view.self-shadow", "セルフ影の表示"},
    {"pose.copy", "ポーズをコピー"},
    {"picture.copy", "画面をコピー"},
    {"paste", "ポーズを貼り付け・ファイルを開く"},
    {"gizmo.mode translate", "移動ハンドル"},
    {"gizmo.mode rotate", "回転ハンドル"},
    {"gizmo.mode scale", "拡大ハンドル"},
    {"gizmo.mode none", "ハンドルなし"},
    {"gizmo.space next", "ハンドルの座標軸を切替"},
    {"toggle gizmo.snap", "きざみの切替"},
    {"toggle edit.mirror", "左右対称編集の切替"},
    {"edit.select /camera", "カメラのハンドル"},
    {"edit.select /light", "照明のハンドル"},
    {"undo", "元に戻す"},
    {"redo", "やり直す"},
    {"panels.toggle", "パネルの表示"},
    {"toggle panels.sheet", "キーフレーム編集の表示"},
    {"toggle keys", "このキー一覧"},
    {"reload", "ファイルを読み直す"},
    {"toggle window.full", "全画面の切替"},
    {"screenshot", "画面を画像に保存"},
    {"escape", "一覧を閉じる・選択解除・全画面を終える・終了"},
    {"quit", "終了"},
};

binding_group binding_group_of(const char *command)
{
    if (strncmp(command, "toggle ", 7) == 0)
        command += 7;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        size_t length = strlen(groups[i].start);
        if (strncmp(command, groups[i].start, length) != 0)
            continue;
        char next = command[length]; /* a whole word, or the beginning of one that goes on behind the dot */
        if (groups[i].start[length - 1] == '.' || next == '\0' || next == ' ' || next == '.')
            return groups[i].group;
    }
    return BINDINGS_WINDOW;
}

const char *binding_japanese(const char *command)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].command, command) == 0)
            return words[i].japanese;
    return NULL;
}

const char *binding_help_at(size_t i)
{
    return i < sizeof words / sizeof *words ? words[i].japanese : NULL;
}
